"""Multinomial logistic regression: one weight vector a class, and softmax to share out the probability.

    probability   ŷ = softmax(W x + b)
    loss          L(ŷ, c) = -ln ŷ_c,  c the right class
    gradient      ∂L/∂w_k = (ŷ_k - y_k) x,  ∂L/∂b_k = ŷ_k - y_k,  y_k = 1 for k = c and 0 for the others
    update        w_k = w_k - η (ŷ_k - y_k) x

The right class is pulled towards x by what is missing to 1, every other is pushed away by the probability
that it took. A perceptron does the same with all or nothing.

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4.7 and 4.8, equations 4.36, 4.39, 4.41;
McDonald, *Classification* (AthNLP 2024), "SGD for logistic regression".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.arithmetic import add, dot, mean
from assay.textbook.inputs import Label, Points, Vector, as_labels, as_not_negative, as_points, as_positive
from assay.textbook.linear import MulticlassLinear
from assay.textbook.logistic import batches, shrink
from assay.textbook.logistic_functions import negative_log_likelihood, softmax
from assay.textbook.multiclass_perceptron import all_classes
from assay.textbook.steps import Step, Steps, finish

__all__ = ["MultinomialLogisticRegression", "multinomial_logistic", "multinomial_logistic_steps"]


@dataclass(frozen=True)
class MultinomialLogisticRegression(MulticlassLinear):
    """One weight vector a class, whose scores are turned into probabilities."""

    def probabilities(self, x: Vector) -> dict[Label, float]:
        """Give P(y = c | x) for each class c."""
        scores = self.scores(x)
        return dict(zip(scores, softmax(list(scores.values())), strict=True))


def multinomial_logistic_steps(
    X: Points,
    y: Iterable[Any],
    classes: Sequence[Label] | None = None,
    rate: float = 0.1,
    epochs: int = 10,
    batch_size: int | None = 1,
    l1: float = 0.0,
    l2: float = 0.0,
    seed: int | None = None,
) -> Steps[MultinomialLogisticRegression]:
    """Learn from one batch after the other; see `multinomial_logistic`."""
    points = as_points(X)
    labels = as_labels(y, len(points))
    names = all_classes(labels, classes)
    truth = [names.index(label) for label in labels]
    as_positive(rate, "rate")
    as_not_negative(l1, "l1")
    as_not_negative(l2, "l2")
    W, b = [[0.0] * len(points[0]) for _ in names], [0.0] * len(names)
    for number, (epoch, batch) in enumerate(batches(len(points), epochs, batch_size, seed), start=1):
        y_hat = [softmax([dot(w, points[i]) + bias for w, bias in zip(W, b, strict=True)]) for i in batch]
        loss = sum(negative_log_likelihood(p, truth[i]) for p, i in zip(y_hat, batch, strict=True)) / len(batch)
        for k in range(len(names)):
            errors = [p[k] - (truth[i] == k) for p, i in zip(y_hat, batch, strict=True)]
            gradient = mean([[error * value for value in points[i]] for error, i in zip(errors, batch, strict=True)])
            W[k] = shrink(add(W[k], add(gradient, W[k], times=2 * l2), times=-rate), by=rate * l1)
            b[k] = b[k] - rate * sum(errors) / len(batch)
        alone = len(batch) == 1
        chosen = max(range(len(names)), key=lambda k: y_hat[0][k])
        c = truth[batch[0]]
        yield Step(
            number,
            seen=" ".join(f"#{i + 1}" for i in batch) if len(batch) <= 6 else f"{len(batch)} examples",
            score={str(name): p for name, p in zip(names, y_hat[0], strict=True)} if alone else None,
            decision=str(names[chosen]) if alone else f"{len(batch)} distributions",
            update=f"{rate:g} × gradient",
            parameters={
                **{f"w[{name}]": w for name, w in zip(names, W, strict=True)},
                "b": dict(zip(map(str, names), b, strict=True)),
            },
            why=f"{names[c]} got {y_hat[0][c]:.3g}" if alone else f"mean loss {loss:.4g}",
            right=chosen == c if alone else None,
            loss=loss,
            epoch=epoch,
        )
    return MultinomialLogisticRegression(tuple(names), tuple(tuple(w) for w in W), tuple(b))


def multinomial_logistic(
    X: Points,
    y: Iterable[Any],
    classes: Sequence[Label] | None = None,
    rate: float = 0.1,
    epochs: int = 10,
    batch_size: int | None = 1,
    l1: float = 0.0,
    l2: float = 0.0,
    seed: int | None = None,
) -> MultinomialLogisticRegression:
    """Fit a probability to many classes.

    Parameters
    ----------
    X
        One example a row.
    y
        One label an example.
    classes
        All labels; by default those of `y`, sorted.
    rate
        The learning rate η.
    epochs
        Passes over the data.
    batch_size
        How many examples make one update; None for all of them.
    l1, l2
        How much large weights cost; never charged for a bias.
    seed
        Shuffles the examples before each epoch; None leaves them as they stand.

    Examples
    --------
    >>> model = multinomial_logistic([[3, 2]], ["+"], classes=["+", "-"], rate=0.1, epochs=1)
    >>> [[round(value, 2) for value in w] for w in model.W]
    [[0.15, 0.1], [-0.15, -0.1]]
    """
    return finish(multinomial_logistic_steps(X, y, classes, rate, epochs, batch_size, l1, l2, seed))
