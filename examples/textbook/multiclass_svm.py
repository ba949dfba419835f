"""Perceptron and support vector machine on the same articles: who leaves more room?

Try: a new article between the classes.
"""

from assay import textbook
from assay.textbook import worked

X, y = worked.TOPIC_COUNTS, worked.TOPIC_LABELS
for model in (textbook.multiclass_perceptron(X, y), textbook.multiclass_svm(X, y, iterations=2000)):
    leads = []
    for x, label in zip(X, y, strict=True):
        scores = model.scores(x)
        rival = max(score for c, score in scores.items() if c != label)
        leads.append((scores[label] - rival) / textbook.norm(model.theta))
    print(f"{type(model).__name__:22} smallest lead of a right class, with weights of length 1: {min(leads):.3f}")
