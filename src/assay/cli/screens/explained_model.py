"""What a model has learned, as ``assay explain`` shows it without a text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.cli.options.screen import Screen
    from assay.data.corpus.corpus import Corpus
    from assay.explanation.importance import GroupImportance

__all__ = ["ModelQuestions", "answer"]


@dataclass(frozen=True)
class ModelQuestions:
    """What was asked.

    Attributes
    ----------
    label
        Only this class; None for all.
    top
        How many features of each class.
    documents
        In which features are counted, prototypes found and groups measured.
    prototypes
        How many of each class; None: not asked.
    groups, retrain, metric
        What each group of features is worth, by training again on `retrain` if it is given.
    """

    label: str | None
    top: int
    documents: Corpus | None
    prototypes: int | None
    groups: bool
    retrain: Corpus | None
    metric: str


def answer(classifier: TextClassifier, asked: ModelQuestions, screen: Screen, *, html: str | None, where: str) -> None:
    """Find out, print, and write the page, which calls the model `where`."""
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.progress import status
    from assay.cli.writing.page import write_page
    from assay.explanation.labels import class_index
    from assay.explanation.prototypes import class_prototypes
    from assay.explanation.weights import top_features

    model, documents = classifier.model, asked.documents
    if asked.label is not None:
        class_index(model.labels, asked.label)  # complains before anything is done
    with status(screen, "looking"):
        features = prototypes = groups = None
        if not asked.groups and asked.prototypes is None:
            features = top_features(
                model, documents, top=asked.top, labels=None if asked.label is None else [asked.label]
            )
        if asked.prototypes is not None and documents is not None:
            prototypes = class_prototypes(model, documents, documents=asked.prototypes, features=asked.top)
        if asked.groups and documents is not None:
            groups = measured_groups(classifier, documents, asked)
    if asked.label is not None:
        prototypes = None if prototypes is None else {k: v for k, v in prototypes.items() if k == asked.label}
    if screen.as_json:
        found: dict[str, Any] = {}
        if features is not None:
            found["features"] = {name: [asdict(item) for item in items] for name, items in features.items()}
        if prototypes is not None:
            found["prototypes"] = {name: item.to_dict() for name, item in prototypes.items()}
        if groups is not None:
            found["groups"] = groups.to_dict()
        print_json(found)
    else:
        from assay.cli.screens.learned import show_groups, show_prototypes, show_top_features

        console = results()
        if features is not None:
            show_top_features(features, console)
        if prototypes is not None:
            show_prototypes(prototypes, console)
        if groups is not None:
            show_groups(groups, console)
    if html is not None:
        from assay.explanation.model_page import model_page

        write_page(html, model_page(features, prototypes, groups, where=where), screen)


def measured_groups(classifier: TextClassifier, documents: Corpus, asked: ModelQuestions) -> GroupImportance:
    """What each group is worth; the model's own learner is trained again where the file names one."""
    from assay.explanation.importance import group_importance

    learner = None if asked.retrain is None else own_learner(classifier)
    return group_importance(classifier.model, documents, train=asked.retrain, learner=learner, metric=asked.metric)


def own_learner(classifier: TextClassifier) -> Any:
    """The learner that the model was trained with; None where the file does not say, or it was put together."""
    import assay.learners
    from assay.modelfile.provenance import MadeBy

    told = MadeBy.told_in(classifier.provenance, "learner")
    if told is None or told.name not in dir(assay.learners):
        return None
    learner = getattr(assay.learners, told.name)()
    known = learner.get_params(deep=False)
    return learner.set_params(**{name: value for name, value in told.parameters.items() if name in known})
