"""One example a step, or all: the same cost, on another way.

Try: shuffle with a seed; penalties l1 and l2.
"""

from assay import textbook
from assay.textbook import worked

X, y = worked.LEXICON_COUNTS, worked.LEXICON_LABELS
for size, rate in ((1, 0.1), (5, 0.3), (None, 0.5)):
    model = textbook.logistic_regression(X, y, rate=rate, epochs=200, batch_size=size)
    p = [round(model.probability(x), 2) for x in X]
    name = "all" if size is None else size
    print(f"batches of {name}: w = {[round(w, 2) for w in model.w]}, b = {model.b:.2f}, P(+) = {p}")
