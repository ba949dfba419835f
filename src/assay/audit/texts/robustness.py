"""Robustness: how often a model changes its mind over typing errors, case, punctuation, emoji and length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.audit.scoring import ProbedModel, differ
from assay.audit.texts.perturbations import PERTURBATIONS, perturbed
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.shares import share
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
        Share of them that got another label, or another set of labels.
    accuracy_before, accuracy
        On the texts as they are and after the change; None without labels. Of sets, the share that is exactly right.
    p_value
        McNemar's exact test of no change of accuracy; NaN without labels.
    examples
        Texts before and after, with both answers.
    measure
        What `accuracy` is called: of sets, "exactly right".
    """

    name: str
    kind: str
    n: int
    changed: Estimate
    accuracy_before: Estimate | None
    accuracy: Estimate | None
    p_value: float
    examples: tuple[tuple[str, str, str, str], ...]
    measure: str = "accuracy"

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
    truth = scorer.truth(corpus)
    measure = "accuracy" if scorer.task == "labels" else "exactly right"
    made = []
    for name, (kind, _) in PERTURBATIONS.items():
        after_texts = perturbed(name, texts, seed)
        altered = np.flatnonzero([a != b for a, b in zip(texts, after_texts, strict=True)])
        n = len(altered)
        if n == 0:
            continue
        then, _ = scorer.table([after_texts[i] for i in altered])
        flips = np.flatnonzero(differ(before[altered], then))
        examples = tuple(
            (texts[i], scorer.named(before, i), after_texts[i], scorer.named(then, k))
            for k in flips[:n_examples].tolist()
            for i in [int(altered[k])]
        )
        right_before = right_after = None
        p_value = float("nan")
        if truth is not None:
            was, now = ~differ(before[altered], truth[altered]), ~differ(then, truth[altered])
            right_before, right_after = share(int(was.sum()), n, level), share(int(now.sum()), n, level)
            p_value = mcnemar_p_value(int((was & ~now).sum()), int((now & ~was).sum()))
        changed = share(len(flips), n, level)
        made.append(RobustnessResult(name, kind, n, changed, right_before, right_after, p_value, examples, measure))
    return made
