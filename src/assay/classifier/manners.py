"""What all classifiers of texts have in common: answers from scores, and scikit-learn's manners."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.modelfile.record import ModelRecord
from assay.prediction.decision import Decision
from assay.prediction.novelty import NoNoveltyError, Novelty
from assay.prediction.probabilities import Floats

if TYPE_CHECKING:
    from assay.tables import Table

__all__ = ["ClassifierManners"]

_SHOWN_CLASSES = 20
_HAVE = {"labels": "one label each", "label-sets": "sets of labels"}


class ClassifierManners:
    """A classifier whose `decision_function` gives scores, which its `decision` turns into labels.

    Attributes
    ----------
    record
        Where the model comes from, and what it remembers.
    """

    record: ModelRecord
    _novelty: tuple[Any, Novelty]

    @property
    def decision(self) -> Decision:
        """What follows the scores: probabilities and labels."""
        raise NotImplementedError

    def decision_function(self, texts: Any) -> Floats:
        """Scores (n, n_labels); of two labels one number a text, above 0 for the second."""
        raise NotImplementedError

    def scored(self, texts: Any) -> Any:
        """What the decision takes: all scores, or those of the labels that a label tree came to."""
        return self.decision_function(texts)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings."""
        raise NotImplementedError

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes as text, in the order of the columns of `predict_proba`."""
        return self.decision.labels

    @property
    def classes_(self) -> NDArray[Any]:
        """The same in the type in which labels were given, as scikit-learn has it."""
        return self.decision.values

    @property
    def provenance(self) -> dict[str, Any]:
        """What the model was made of."""
        _ = self.decision  # complains where nothing was fitted
        return self.record.provenance

    def predict(self, texts: Any) -> NDArray[Any]:
        """Label of each text, in the type in which labels were given; None where the rule abstains."""
        return self.decision.answer(self.scored(texts))

    @property
    def predict_proba(self) -> Callable[[Any], Floats]:
        """Of texts, the probability of each label, (n, n_labels).

        A model that has only scores has no such method: asked for it, it says how to get probabilities.
        """
        if self.__sklearn_is_fitted__():
            self.decision.require_probabilities()
        return self._probabilities

    def _probabilities(self, texts: Any) -> Floats:
        return self.decision.probabilities(self.scored(texts))

    def novelty(self, texts: Any) -> Floats:
        """How unlike the training texts each text is, (n,), from 0 to 1: see `assay.prediction.Novelty`.

        A model that was not trained to say it raises a `NoNoveltyError`.
        """
        return self.known_texts.of(texts, self.decision_function(texts), threads=getattr(self, "threads", None))

    @property
    def known_texts(self) -> Novelty:
        """What the model remembers of its training texts to tell others from them."""
        _ = self.decision  # complains where nothing was fitted
        kept = self.record.novelty
        if kept is None:
            raise NoNoveltyError
        if self.__dict__.get("_novelty", (None,))[0] is not kept:
            self._novelty = kept, kept.novelty()
        return self._novelty[1]

    def score(self, texts: Any, labels: Any = None, sample_weight: Any = None) -> float:
        """Share of the texts, of a corpus or with `labels`, that get their own label; of their weights, if given.

        Where texts have several labels, the share of those that get just their set.
        """
        from assay.classifier.training_data import corpus_of

        corpus = corpus_of(texts, labels)
        said = self.decision.predict(self.scored(corpus))
        if self.decision.task != corpus.task:
            raise DataError(
                f"{corpus.source}: its texts have {_HAVE[corpus.task]}, and this model gives "
                f"{_HAVE[self.decision.task]}. Give texts with labels of that kind."
            )
        if corpus.task == "label-sets":
            truth = corpus.label_sets.names(corpus.label_names)
            right = np.array([set(given) == set(own) for given, own in zip(said, truth, strict=True)])
        else:
            right = said == np.array(corpus.label_names)[corpus.classes]
        return float(np.average(right, weights=sample_weight))

    def __sklearn_is_fitted__(self) -> bool:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(multi_label=True),
            input_tags=InputTags(string=True, two_d_array=False),
        )

    def _repr_html_(self) -> str:
        from assay.tables import page_html

        return page_html(repr(self), self._tables(), ())

    def _tables(self) -> list[Table]:
        """What a notebook shows of a fitted classifier: what it was made of, and its classes."""
        from assay.modelfile.provenance import MadeBy
        from assay.tables import Table, shorten

        if not self.__sklearn_is_fitted__():
            return [Table("Not fitted yet", ("", ""), [])]
        told = self.provenance
        data = told.get("data", {})
        made = {name: MadeBy.told_in(told, name) for name in ("vectorizer", "learner")}
        rows = [
            ("trained on", f"{data.get('source', '?')}: {data.get('rows', '?'):,} texts" if data else "not known"),
            *((name, part.name) for name, part in made.items() if part is not None),
            ("probabilities", "yes" if self.decision.has_probabilities else "no: scores only"),
            ("made", str(told.get("created", "not known"))),
        ]
        counts = data.get("classes", {})
        classes = [(shorten(label), f"{counts[label]:,}" if label in counts else "") for label in self.labels]
        more = len(classes) - _SHOWN_CLASSES
        rest = [(f"and {more:,} more", "")] if more > 0 else []
        return [Table("Model", ("", ""), rows), Table("Classes", ("label", "texts"), classes[:_SHOWN_CLASSES] + rest)]
