"""What all networks share: settings of the training, and the manners of `TextClassifier`."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from assay.classifier.manners import ClassifierManners
from assay.errors import NotFittedError, ParameterError
from assay.modelfile.record import ModelRecord
from assay.neural.loop.history import History
from assay.neural.loop.memory_messages import enough_memory
from assay.neural.loop.training_checks import check_training
from assay.neural.parts.network import Network
from assay.neural.parts.network_model import NetworkModel
from assay.neural.reading.readers import InputReader
from assay.prediction.decision import Decision
from assay.prediction.probabilities import Floats
from assay.registry import Registry

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.explanation.occlusion import Occlusion
    from assay.neural.loop.training_loop import TrainingWatcher
    from assay.neural.reading.preparing import Prepared

__all__ = ["NETWORK_KINDS", "NetworkClassifier"]


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkClassifier(ClassifierManners, ABC):
    """A network that is trained on texts and labels.

    Parameters
    ----------
    epochs
        Passes over the training texts at most; None: 10, and of few texts more, until 2,500 updates.
    batch_size
        Texts in an update.
    optimiser
        "sgd", "momentum", "adagrad", "adam" or "adamw".
    learning_rate
        Length of the steps.
    schedule, warm_up
        "constant", "linear" or "cosine": how the rate falls; and in which share of all updates it rises before.
    l2
        Pull of the weights (not of word vectors) towards 0.
    clip
        Length of the gradient at most; None for any.
    loss
        "cross-entropy", or "hinge", which gives scores but no probabilities.
    label_smoothing
        Share of a text's target that all classes get alike.
    class_weight
        None, "balanced", or a dict from label to weight.
    validation
        0 trains on all texts for all epochs, at a falling rate; or the share of the texts that are held out for early
        stopping, or a corpus of other texts.
    patience
        Epochs without a better one before training stops; the best epoch's weights are kept. None: a tenth of `epochs`,
        and at least 3.
    stop_by
        "accuracy", "macro_f1" or "loss" of the held-out texts. The loss is the best for probabilities, but often at its
        best some epochs before the labels are.
    learn_novelty
        Learn what is needed for `novelty` to say how unlike the training texts a text is; False: a smaller file.
    sketch
        Remember, by hashes, which texts it was trained on, see `TextClassifier`.
    checkpoint
        File that keeps an interrupted training: fitted again with the same texts and settings, it goes on. It is
        deleted at the end.
    seed
        Of everything random: the same seed gives the same result on the same machine with the same threads.
    threads
        None for every core.
    verbose
        Show a line an epoch, and a bar on a terminal.

    Attributes
    ----------
    labels, classes_
        The classes, sorted: the order of the columns of `predict_proba`; as text, and in the type in which labels were
        given.
    model
        What prediction uses, a `NetworkModel`.
    history_
        Loss and held-out metric of every epoch; a loaded classifier has it too.
    notes_
        What a reader should know: texts that were cut, classes of one example, in sentences.
    provenance
        What it was made of: data, settings, versions, time.
    """

    epochs: int | None = None
    batch_size: int = 50
    optimiser: str = "adam"
    learning_rate: float = 1e-3
    schedule: str = "linear"
    warm_up: float = 0.0
    l2: float = 0.0
    clip: float | None = None
    loss: str = "cross-entropy"
    label_smoothing: float = 0.0
    class_weight: Mapping[str, float] | str | None = None
    validation: Any = 0.0
    patience: int | None = None
    stop_by: str = "accuracy"
    learn_novelty: bool = True
    sketch: bool = True
    checkpoint: str | os.PathLike[str] | None = None
    seed: int = 0
    threads: int | None = None
    verbose: bool = False

    kind: ClassVar[str]
    network: ClassVar[type[Network]]

    # -- what each network says for itself -----------------------------------------------------------------------------

    def _prepare(self, texts: Any, labels: Any, threads: int) -> Prepared:
        """What is trained on."""
        from assay.neural.reading.preparing import prepare_texts

        return prepare_texts(self, texts, labels, threads)

    @abstractmethod
    def _learn_reader(self, corpus: Corpus, threads: int) -> InputReader:
        """How texts are read, learned from training texts."""

    @abstractmethod
    def _new_network(self, reader: InputReader, n_classes: int) -> Network:
        """A network with its first weights, from PyTorch's random numbers."""

    def _check(self) -> None:
        """Complain about the first setting that has a value it cannot have."""
        check_training(self)

    # -- training ------------------------------------------------------------------------------------------------------

    def fit(self, texts: Any, labels: Any = None, *, watcher: TrainingWatcher | None = None) -> Self:
        """Learn from a corpus, or from texts and their labels, in any form that `assay.read` takes.

        Parameters
        ----------
        texts, labels
            To learn from.
        watcher
            Is told how far it is, instead of the lines that `verbose` writes.
        """
        from assay.neural.loop.fitting import fit_classifier

        self._check()
        with enough_memory(type(self).__name__):
            fit_classifier(self, texts, labels, watcher)
        return self

    # -- prediction ----------------------------------------------------------------------------------------------------

    @property
    def model(self) -> NetworkModel:
        """What prediction uses."""
        if not hasattr(self, "_model"):
            raise NotFittedError(
                f"This {type(self).__name__} is not fitted yet. Call fit(texts, labels), or load one with assay.load."
            )
        return self._model

    @property
    def decision(self) -> Decision:
        """What follows the scores: probabilities and labels."""
        return self.model.decision

    def decision_function(self, texts: Any) -> Floats:
        """Scores (n, n_labels); of two labels one number a text, above 0 for the second."""
        return self.model.decision_function(texts, threads=self.threads)

    def explain(self, text: str) -> Occlusion:
        """What the decision about a text loses with each of its words: not exact, as networks are not linear."""
        from assay.explanation.occlusion import occlude

        return occlude(self, text)

    # -- keeping -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, float16: bool = False, record_time: bool = False) -> None:
        """Write the network to a file, which `assay.load` reads and which holds only data.

        Parameters
        ----------
        path
            By custom it ends in ``.assay``.
        float16
            Keep the weights in half precision: a file of half the size, and scores that differ a little.
        record_time
            Write the time of training too. Without it, the same training gives the same bytes.
        """
        from assay.neural.files.model_file import write_network

        write_network(path, self, float16=float16, record_time=record_time)

    @classmethod
    def from_parts(cls, model: NetworkModel, history: History, record: ModelRecord | None = None) -> Self:
        """A classifier of a network that was trained before."""
        made = cls()
        made._set(model, history, (), record or ModelRecord())
        return made

    def _set(self, model: NetworkModel, history: History, notes: tuple[str, ...], record: ModelRecord) -> None:
        self._model = model
        self.history_ = history
        self.notes_ = notes
        self.record = record

    # -- scikit-learn's manners ----------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def settings_to_keep(self) -> dict[str, Any]:
        """The settings as a model's provenance tells them."""
        from assay.neural.networks.kept_settings import kept_settings

        return kept_settings(self.get_params())

    def set_params(self, **settings: Any) -> Self:
        """Change settings by name."""
        known = self.get_params()
        for name, value in settings.items():
            if name not in known:
                from assay.suggest import nearest_first, quoted

                raise ParameterError(
                    f"{type(self).__name__} has no parameter {name!r}. They are {quoted(nearest_first(name, known))}."
                )
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __repr__(self) -> str:
        given = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if not _same(getattr(self, field.name), field.default)
        ]
        return f"{type(self).__name__}({', '.join(given)})"


#: By the names under which files refer to them.
NETWORK_KINDS = Registry[NetworkClassifier]()


def _same(value: Any, default: Any) -> bool:
    """Whether a setting has its default; whatever is no plain value has not."""
    return type(value) is type(default) and bool(value == default)
