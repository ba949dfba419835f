"""One class against the rest, or all at once?

Try: a fourth class in the middle.
"""

from assay import textbook
from assay.textbook import worked

X, y = worked.TOPIC_COUNTS, worked.TOPIC_LABELS
together = textbook.multiclass_perceptron(X, y)
print("together:", together.converged, together.mistakes)
for c in together.classes:
    alone = textbook.perceptron(X, [label == c for label in y], positive=True)
    print(f"{c} against the rest:", alone.converged, alone.mistakes[:8], "…" if len(alone.mistakes) > 8 else "")
