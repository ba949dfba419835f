"""How sure is naive Bayes, and what does smoothing change?

Try: write the same word five times, and watch it become certain.
"""

from assay import textbook
from assay.textbook import worked

for alpha in (0.01, 1.0, 10.0):
    model = textbook.naive_bayes(worked.NEWS, worked.NEWS_LABELS, alpha=alpha)
    for text in ("goal", "goal goal goal", "goal stock"):
        posterior = {c: round(p, 3) for c, p in model.posterior(text).items()}
        print(f"alpha {alpha:5}: {text:15} {posterior}")
