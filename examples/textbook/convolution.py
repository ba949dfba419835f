"""A filter for negation sees what an average cannot.

Try: a filter over three words.
"""

from assay import textbook
from assay.textbook import worked

words = {"not": (0, 1), "good": (1, 0), "plot": (0, 0), "but": (0, 0)}
for sentence in ("not good", "good but not plot", "plot good"):
    X = [words[word] for word in sentence.split()]
    found = textbook.convolve(X, worked.FILTERS, worked.FILTER_BIASES, n=2)
    print(f"{sentence:18} average {textbook.mean(X)}, filters {textbook.max_pooling(found)}")
