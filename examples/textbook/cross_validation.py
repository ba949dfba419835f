"""How much does the score depend on how the folds are cut?

Try: another k; leave one out (k = 10).
"""

from assay import textbook
from assay.textbook import worked

X, y = worked.LEXICON_COUNTS, worked.LEXICON_LABELS


def accuracy(train: list[int], test: list[int]) -> float:
    model = textbook.perceptron([X[i] for i in train], [y[i] for i in train])
    return sum(model.predict(X[i]) == y[i] for i in test) / len(test)


for k in (2, 5, 10):
    scores = [textbook.cross_validate(len(X), accuracy, k=k, seed=seed) for seed in range(10)]
    print(f"{k:2} folds, ten cuts: from {min(scores):.2f} to {max(scores):.2f}, mean {sum(scores) / 10:.3f}")
