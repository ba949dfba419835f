"""The price of slack: a narrow street without points, or a wide one with some.

Try: take away a point that is no support vector.
"""

from assay import textbook
from assay.textbook import worked

for C in (0.01, 0.1, 1.0):
    model = textbook.linear_svm(worked.LEXICON_COUNTS, worked.LEXICON_LABELS, C=C, iterations=2000)
    support = [f"#{i + 1}" for i in model.support_vectors]
    print(f"C = {C:4}: margin {model.margin:.2f}, cost {model.cost:.3f}, in the street or at its edge: {support}")
