"""How a model was trained, found out so that it can be trained so again.

The run folder beside the model says it exactly (`settings.toml`), and where the data is. Without one, the model's own
provenance does where it was trained from n-grams by a linear learner.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.classifier.text_classifier import TextClassifier
from assay.errors import AssayError, DataError
from assay.modelfile.provenance import MadeBy
from assay.suggest import excerpt
from assay.training.candidates import Wishes
from assay.training.learner_settings import LearnerSettings
from assay.training.recipes import Recipe
from assay.training.settings import TrainingSettings
from assay.training.settings_file import read_settings
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.training.fold_matrices import FoldMatrices
    from assay.training.run import TrainingRun
    from assay.training.watching import Watcher

__all__ = ["KnownTraining", "frozen_test", "kept_data", "known_training", "run_folder_of", "training_told"]


@dataclass(frozen=True)
class KnownTraining:
    """How to train a model again.

    Attributes
    ----------
    settings
        Of `run_training`; None where `classifier` has them.
    classifier
        A `TextClassifier` with the settings of the one that was fitted, itself not fitted.
    data
        Where the data was, and how it was read, by the names of the options of ``assay train``; empty if not known.
    source
        What said so, in a few words.
    """

    settings: TrainingSettings | None
    classifier: TextClassifier | None
    data: Mapping[str, Any]
    source: str

    @property
    def holdout(self) -> float:
        """The share of its data that was held out for its test."""
        return 0.0 if self.settings is None else self.settings.resolved().holdout or 0.0

    @property
    def seed(self) -> int:
        """Of everything random."""
        return self.settings.seed if self.settings is not None else int(getattr(self.classifier, "seed", 0))

    def train(
        self,
        corpus: Corpus,
        test: Corpus | None,
        *,
        threads: int | None,
        watcher: Watcher | None = None,
        read: FoldMatrices | None = None,
    ) -> tuple[Any, TrainingRun | None]:
        """The classifier of these texts, and, where `assay train` made the first, the whole run.

        What has been `read` of the texts is not read again.
        """
        if self.settings is None:
            assert self.classifier is not None
            made = TextClassifier(**self.classifier.get_params(deep=False) | {"threads": threads})
            return made.fit(corpus), None
        from assay.training.train import run_training

        how: dict[str, Any] = {"threads": threads, "watcher": watcher, "read": read}
        run = run_training(corpus, replace(self.settings, holdout=0.0), test=test, **how)
        return run.model, run

    def quickly(self) -> KnownTraining:
        """The same without what a comparison does not look at."""
        if self.settings is not None:
            return replace(self, settings=replace(self.settings, novelty=False, sketch=False))
        assert self.classifier is not None
        plain = self.classifier.get_params(deep=False) | {"learn_novelty": False, "sketch": False}
        return replace(self, classifier=TextClassifier(**plain))


def run_folder_of(model: Path) -> Path:
    """The folder that ``assay train`` leaves beside a model."""
    return model.with_name(f"{model.stem}.run")


def known_training(
    model: Any, path: Path | None, digest: str | None, settings_file: str | None = None
) -> KnownTraining:
    """How the model was trained: by the file of settings, else by its run folder, else by its own provenance.

    Parameters
    ----------
    model, path, digest
        The classifier; its file, if there is one, and the SHA-256 of all its bytes.
    settings_file
        What to take instead.
    """
    if settings_file is not None:
        return _of_file(settings_file, settings_file)
    data: dict[str, Any] = {}
    if path is not None and _model_of_run(run_folder_of(path)) == digest:
        folder = run_folder_of(path)
        if (folder / "settings.toml").is_file():
            return _of_file(str(folder / "settings.toml"), folder.name)
        data = kept_data(folder)
    return replace(training_told(model), data=data)


def kept_data(folder: Path) -> dict[str, Any]:
    """The texts that an update keeps in its run folder, as a settings file names them; nothing where there are none."""
    kept = {name: folder / f"{file}.parquet" for name, file in (("data", "train"), ("test", "test"))}
    found = {name: str(file.absolute()) for name, file in kept.items() if file.is_file()}
    return {**found, "text": "text", "label": "label"} if "data" in found else {}


def frozen_test(model: Path, digest: str) -> Corpus | None:
    """The texts that were held out for good, as the run folder of a model keeps them; None where there are none."""
    import pyarrow.parquet as pq

    from assay.data.reading.read import read_given

    folder = run_folder_of(model)
    if _model_of_run(folder) != digest:
        return None
    if (folder / "test.parquet").is_file():
        return read_given(pq.read_table(folder / "test.parquet"), text="text", label="label")
    if not (folder / "predictions.parquet").is_file():
        return None
    told = pq.read_table(folder / "predictions.parquet", filters=[("part", "=", "test")])
    if not len(told) or "label" not in told.column_names:
        return None
    return read_given(told.select(["text", "label"]), text="text", label="label")


def _of_file(path: str, source: str) -> KnownTraining:
    file = read_settings(path)
    return KnownTraining(file.settings, None, file.data, source)


def _model_of_run(folder: Path) -> str | None:
    """The digest of the model that a run folder says it belongs to."""
    try:
        told = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
        found = told["model"]["sha256"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def training_told(model: Any) -> KnownTraining:
    """How a model was trained, as far as its own file says so."""
    told = model.provenance
    learner, vectorizer = (MadeBy.told_in(told, name) for name in ("learner", "vectorizer"))
    source = "what the model's file says of its making"
    if learner is None or vectorizer is None:
        raise _unclear("its file does not say how it was made")
    try:
        if "blocks" in vectorizer.parameters or "members" in told:
            return KnownTraining(_settings(model, told, learner, vectorizer), None, {}, source)
        return KnownTraining(None, _classifier(model, told, learner, vectorizer), {}, source)
    except (AssayError, TypeError, ValueError, AttributeError, LookupError) as error:
        raise _unclear(f"what its file says cannot be made again: {excerpt(str(error), 200)}") from None


def _unclear(why: str) -> DataError:
    return DataError(
        f"How this model was trained is not known: there is no run folder beside it, and {why}. Name the settings.toml "
        f"of its training with {setting('settings')}."
    )


def _settings(model: Any, told: Mapping[str, Any], learner: MadeBy, vectorizer: MadeBy) -> TrainingSettings:
    """Of a model that `assay.train` made, whose run folder is gone."""
    parts = [(learner, vectorizer)]
    if "members" in told:
        parts = [(MadeBy.told_in(one, "learner"), MadeBy.told_in(one, "vectorizer")) for one in told["members"]]  # type: ignore[misc]
    seed = int(told["seed"])
    recipes = []
    for of_learner, of_features in parts:
        blocks = {"features": of_features.parameters["blocks"], "learner": LearnerSettings.told(of_learner).to_dict()}
        recipe = Recipe.from_dict(blocks)
        if recipe.files or recipe.made_by(seed)[0] != of_learner:
            raise ValueError(f"{recipe.name} with {of_learner}")
        recipes.append(recipe)
    searched = told.get("calibration") is not None
    return TrainingSettings(
        Wishes(),
        tuple(recipes),
        metric=told.get("metric"),
        holdout=0.0,
        folds=5 if searched else 0,
        novelty=model.record.novelty is not None,
        sketch=model.record.sketch is not None,
        seed=seed,
    )


def _classifier(model: Any, told: Mapping[str, Any], learner: MadeBy, vectorizer: MadeBy) -> TextClassifier:
    """Of a model that `TextClassifier.fit` made."""
    import assay.features
    import assay.learners
    from assay.learners.estimators.base import Learner

    parts = []
    for made, home in ((vectorizer, assay.features), (learner, assay.learners)):
        kind = getattr(home, made.name) if made.name in dir(home) else None
        if not isinstance(kind, type) or not (issubclass(kind, Learner) or hasattr(kind, "text_features")):
            raise ValueError(f"there is no {made.name} of {home.__name__}")
        part = kind(**{name: _value(name, value) for name, value in made.parameters.items()})
        if MadeBy.of(part) != made:
            raise ValueError(str(made))
        parts.append(part)
    return TextClassifier(
        *parts,
        calibration=told.get("calibration"),
        rule=model.decision.rule,
        learn_novelty=model.record.novelty is not None,
        sketch=model.record.sketch is not None,
        seed=int(told["seed"]),
    )


def _value(name: str, told: Any) -> Any:
    """A parameter as it was before it became plain."""
    if name == "dtype":
        return {"float32": np.float32, "float64": np.float64, "int64": np.int64}[told]
    return tuple(told) if isinstance(told, list) else told
