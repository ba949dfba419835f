"""Robustness: how often a model changes its mind over typing errors, case, punctuation, emoji and length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.audit.scoring import ProbedModel
from assay.audit.shares import share
from assay.audit.texts.perturbations import PERTURBATIONS, perturbed
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.significance import mcnemar_p_value

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["RobustnessResult", "measure_robustness"]

_MOST_TEXTS = 2000


@dataclass(frozen=True)
class RobustnessResult:
    """What one kind of change does.

    Attributes
    ----------
    n
        Texts that the change altered.
    changed
        Share of them that got another label.
    accuracy_before, accuracy
        On the texts as they are and after the change; None without labels.
    p_value
        McNemar's exact test of no change of accuracy; NaN without labels.
    examples
        Texts before and after, with both answers.
    """

    name: str
    kind: str
    n: int
    changed: Estimate
    accuracy_before: Estimate | None
    accuracy: Estimate | None
    p_value: float
    examples: tuple[tuple[str, str, str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "name": self.name,
            "kind": self.kind,
            "n": self.n,
            "changed": self.changed.to_dict(),
            "accuracy_before": None if self.accuracy_before is None else self.accuracy_before.to_dict(),
            "accuracy": None if self.accuracy is None else self.accuracy.to_dict(),
            "p_value": None if np.isnan(self.p_value) else self.p_value,
            "examples": [
                {"before": before, "said": said, "after": after, "said_after": then}
                for before, said, after, then in self.examples
            ],
        }


def measure_robustness(
    scorer: ProbedModel, corpus: Corpus, *, level: float = 0.95, seed: int = 0, n_examples: int = 3
) -> list[RobustnessResult]:
    """Change texts in every way of `PERTURBATIONS` and ask again; of a large corpus, 2,000 texts drawn by `seed`."""
    if len(corpus) > _MOST_TEXTS:
        rows = np.sort(np.random.default_rng([seed, 3]).choice(len(corpus), _MOST_TEXTS, replace=False))
        corpus = corpus.select(rows)
    texts = corpus.texts.to_pylist()
    before, _ = scorer.table(texts)
    truth = None
    if corpus.labels is not None:
        index = {label: k for k, label in enumerate(scorer.labels)}
        truth = np.array([index.get(name, -2) for name in corpus.label_names], np.intp)[corpus.classes]
    made = []
    for name, (kind, _) in PERTURBATIONS.items():
        after_texts = perturbed(name, texts, seed)
        altered = np.array([a != b for a, b in zip(texts, after_texts, strict=True)], dtype=bool)
        n = int(altered.sum())
        if n == 0:
            continue
        after = before.copy()
        after[altered], _ = scorer.table([after_texts[i] for i in np.flatnonzero(altered)])
        flips = np.flatnonzero(altered & (before != after))
        examples = tuple(
            (texts[i], _label(scorer, before[i]), after_texts[i], _label(scorer, after[i])) for i in flips[:n_examples]
        )
        right_before = right_after = None
        p_value = float("nan")
        if truth is not None:
            was, now = (before == truth)[altered], (after == truth)[altered]
            right_before, right_after = share(int(was.sum()), n, level), share(int(now.sum()), n, level)
            p_value = mcnemar_p_value(int((was & ~now).sum()), int((now & ~was).sum()))
        made.append(
            RobustnessResult(name, kind, n, share(len(flips), n, level), right_before, right_after, p_value, examples)
        )
    return made


def _label(scorer: ProbedModel, index: int) -> str:
    return scorer.labels[index] if index >= 0 else "no answer"
