"""Noise in the labels: who suffers less, the last weights or their mean?

Try: more noise, fewer epochs, the average over updates.
"""

import random

from assay import textbook

draw = random.Random(3)


def sample(n: int, noise: float) -> tuple[list[list[float]], list[int]]:
    X = [[draw.gauss(0, 1), draw.gauss(0, 1)] for _ in range(n)]
    y = [int((x[0] + x[1] > 0) != (draw.random() < noise)) for x in X]
    return X, y


X, y = sample(300, noise=0.15)
X_test, y_test = sample(1000, noise=0.0)
for find in (textbook.perceptron, textbook.average_over_updates, textbook.average_over_examples):
    model = find(X, y, epochs=5)
    right = sum(model.predict(x) == label for x, label in zip(X_test, y_test, strict=True))
    print(f"{find.__name__:22} {right / 1000:.3f}")
