"""Numbers and names as a reader wants them."""

from __future__ import annotations

from math import isnan

from assay.evaluation.uncertainty.estimate import Estimate

__all__ = ["METRIC_NAMES", "SET_METRIC_NAMES", "metric_name", "seconds", "value", "within"]

#: Name of a metric → how it is called, and what it says.
METRIC_NAMES = {
    "accuracy": ("Accuracy", "share of texts that got their own label"),
    "balanced_accuracy": ("Balanced accuracy", "mean over the classes of the share that was found"),
    "macro_f1": ("Macro F1", "mean over the classes of F1, every class counting the same"),
    "macro_precision": ("Macro precision", "mean over the classes of how often a label that was given is right"),
    "macro_recall": ("Macro recall", "mean over the classes of the share that was found"),
    "weighted_f1": ("Weighted F1", "the same with every class counting by its texts"),
    "matthews": ("Matthews correlation", "0 is chance, 1 is perfect, whatever the sizes of the classes"),
    "kappa": ("Cohen's kappa", "agreement beyond chance: 0 is chance, 1 is perfect"),
    "log_loss": ("Log loss", "mean surprise at the true label, in nats; lower is better"),
    "brier": ("Brier score", "mean squared error of the probabilities; lower is better"),
    "calibration_error": ("Calibration error", "mean gap between probabilities and what came true; lower is better"),
    "roc_auc": ("ROC AUC", "how well probabilities rank texts of a class before others, mean over the classes"),
    "average_precision": ("Average precision", "area under the precision–recall curve, mean over the classes"),
}

#: The same where texts have sets of labels.
SET_METRIC_NAMES = {
    "micro_f1": ("Micro F1", "over all labels given and all labels that texts have, every one counting the same"),
    "micro_precision": ("Micro precision", "share of the labels given that are right"),
    "micro_recall": ("Micro recall", "share of the labels that texts have that were given"),
    "macro_f1": ("Macro F1", "mean over the labels of F1, every label counting the same"),
    "samples_f1": ("Samples F1", "mean over the texts of F1; texts without label that got none are left out"),
    "subset_accuracy": ("Exactly right", "share of texts that got exactly their labels, none missing, none too many"),
    "hamming_loss": ("Hamming loss", "share of all yes-or-no decisions that are wrong; lower is better"),
    "p@1": ("Precision at 1", "share of texts whose most probable label is right"),
    "ndcg@3": ("nDCG at 3", "how well labels are ranked, of the three most probable"),
    **{name: METRIC_NAMES[name] for name in ("log_loss", "brier", "calibration_error")},
}


def metric_name(name: str) -> str:
    """How a metric is called in sentences.

    Examples
    --------
    >>> metric_name("micro_f1"), metric_name("matthews"), metric_name("log_loss"), metric_name("f1:sport")
    ('micro F1', 'Matthews correlation', 'log loss', 'f1:sport')
    """
    known, _ = METRIC_NAMES.get(name) or SET_METRIC_NAMES.get(name) or (name.replace("_", " "), "")
    return known if known.startswith(("Matthews", "Cohen", "ROC")) else known[:1].lower() + known[1:]


def value(estimate: Estimate) -> str:
    """The value of an estimate, or a dash."""
    return f"{estimate.value:.3f}" if estimate.defined else "–"


def within(estimate: Estimate) -> str:
    """Its interval, or nothing.

    Examples
    --------
    >>> within(Estimate(0.5, 0.25, 0.75))
    '[0.250, 0.750]'
    """
    return "" if isnan(estimate.low) else f"[{estimate.low:.3f}, {estimate.high:.3f}]"


def seconds(time: float) -> str:
    """A time.

    Examples
    --------
    >>> seconds(0.034), seconds(12.3), seconds(192)
    ('0.03 s', '12.3 s', '3 min 12 s')
    """
    if time < 1:
        return f"{time:.2f} s"
    if time < 60:
        return f"{time:.1f} s"
    return f"{int(time) // 60} min {int(time) % 60} s"
