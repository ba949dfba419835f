"""How good probabilities are on held-out texts: log loss beside scikit-learn's CalibratedClassifierCV.

The same linear SVM on words and pairs of words is calibrated in six ways: by `TextClassifier` (sigmoid, isotonic,
temperature; smoothed targets, and a cap) and by scikit-learn (sigmoid, isotonic, and none of our smoothing). Small,
separable, skewed and many-class data, several draws of each; every figure is of texts that had no part in training.

The second table is of texts of other topics, put to models of 300 tickets: which share of them is called sure.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assay
from _datasets import read_all, read_labelled
from _measuring import describe_machine, print_table, say, write_results

METHODS = ("sigmoid", "isotonic", "temperature")
SEPARABLE = ("age_limit", "exchange_rate", "passcode_forgotten")
Way = Callable[[list[str], NDArray[Any]], Any]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=10, help="Training samples of each kind.")
    options.add_argument("--quick", action="store_true", help="Three draws.")
    asked = options.parse_args()
    draws = 3 if asked.quick else asked.draws
    losses: dict[str, list[dict[str, float]]] = {}
    for draw in range(draws):
        for name, train, test in samples(draw):
            say(f"draw {draw + 1} of {draws}: {name}")
            losses.setdefault(name, []).append({way: log_loss(fit(*train), *test) for way, fit in ways().items()})
    rows = [row(name, found) for name, found in losses.items()]
    print_table(f"Log loss of held-out texts, means of {draws} draws (± standard error of the difference)", rows)
    sure = [foreign_row(method) for method in (*METHODS, "assay.train")]
    print_table("Texts of trec6, sms_spam and subj put to a model of 300 tickets", sure)
    write_results("calibration", {"machine": describe_machine(), "log_loss": losses, "foreign": sure})


def ways() -> dict[str, Way]:
    """Each fits and calibrates the same SVM."""
    ours = {
        f"assay {method}": lambda texts, labels, method=method: assay.TextClassifier(calibration=method).fit(
            texts, labels
        )
        for method in METHODS
    }
    theirs = {f"sklearn {method}": lambda *data, method=method: _sklearn(method, *data) for method in METHODS[:2]}
    return ours | theirs


def _sklearn(method: str, texts: list[str], labels: NDArray[Any]) -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.pipeline import make_pipeline

    from assay.features import TfidfVectorizer
    from assay.learners import LinearSVC

    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LinearSVC(random_state=0))
    folds = int(min(5, np.unique(labels, return_counts=True)[1].min()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CalibratedClassifierCV(model, method=method, cv=folds, ensemble=False).fit(texts, labels)


def samples(seed: int) -> Iterator[tuple[str, tuple[list[str], NDArray[Any]], tuple[list[str], NDArray[Any]]]]:
    """What a row of the table is made of: name, training texts and labels, test texts and labels."""
    random = np.random.default_rng(seed)
    texts, labels = read_labelled("banking77", "train")
    held_out = read_labelled("banking77", "test")
    names = np.unique(labels)
    kinds = (("separable", np.array(SEPARABLE), 300), ("small", random.choice(names, 5, replace=False), 100))
    kinds += (("20 classes", random.choice(names, 20, replace=False), 600), ("77 classes", names, 1500))
    for name, chosen, n in kinds:
        mine = random.permutation(np.flatnonzero(np.isin(labels, chosen)))[:n]
        yield f"banking77, {name}, {n}", *_parts((texts, labels), mine, held_out)
    for name, n in (("sms_spam", 150), ("sms_spam", 2000), ("trec6", 200), ("subj", 100), ("subj", 1000), ("r8", 500)):
        data = read_all(name)
        order = random.permutation(len(data[0]))
        rest = [data[0][i] for i in order[n : n + 3000]], data[1][order[n : n + 3000]]
        yield f"{name}, {n}", *_parts(data, order[:n], rest)


def _parts(data: tuple[list[str], NDArray[Any]], rows: NDArray[np.int64], held_out: Any) -> tuple[Any, Any]:
    """Training and test part, of the classes that have two training texts at least."""
    names, counts = np.unique(data[1][rows], return_counts=True)
    known = names[counts >= 2]
    train = [i for i in rows if data[1][i] in known]
    test = [i for i, label in enumerate(held_out[1]) if label in known]
    return ([data[0][i] for i in train], data[1][train]), ([held_out[0][i] for i in test], held_out[1][test])


def log_loss(model: Any, texts: list[str], labels: NDArray[Any]) -> float:
    """Mean −log of the probability of the true label, which is taken for 10⁻¹⁵ where it is less."""
    p = np.asarray(model.predict_proba(texts))[np.arange(len(texts)), np.searchsorted(model.classes_, labels)]
    return float(-np.log(np.maximum(p, 1e-15)).mean())


def row(name: str, found: list[dict[str, float]]) -> dict[str, str]:
    """The mean of each way, and how much better our temperature is than the better one of scikit-learn's."""
    means = {way: np.mean([each[way] for each in found]) for way in found[0]}
    best = min((way for way in means if way.startswith("sklearn")), key=lambda way: float(means[way]))
    out = {"data": name, **{way: f"{mean:.4f}" for way, mean in means.items()}}
    for method in ("sigmoid", "temperature"):
        differences = np.array([each[f"assay {method}"] - each[best] for each in found])
        error = differences.std(ddof=1) / np.sqrt(len(differences)) if len(differences) > 1 else np.nan
        out[f"{method} − best of sklearn"] = f"{differences.mean():+.4f} ± {error:.4f}"
    return out


def foreign_row(method: str) -> dict[str, str]:
    """How sure a model of 300 tickets, whose folds separate perfectly, is of texts of other topics."""
    texts, labels = read_labelled("banking77", "train")
    mine = np.flatnonzero(np.isin(labels, SEPARABLE))[:300]
    data = [texts[i] for i in mine], labels[mine]
    model = assay.train(*data) if method == "assay.train" else assay.TextClassifier(calibration=method).fit(*data)
    foreign = [text for name in ("trec6", "sms_spam", "subj") for text in read_all(name)[0][:950]]
    surest = model.predict_proba(foreign).max(axis=1)
    shares = {f"≥ {limit}": f"{np.mean(surest >= limit):.1%}" for limit in (0.9, 0.99, 0.999)}
    return {"model": method, "texts": f"{len(foreign):,}", **shares, "largest": f"{surest.max():.4f}"}


if __name__ == "__main__":
    main()
