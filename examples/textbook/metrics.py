"""Where to put the threshold? Precision and recall as it moves.

Try: a rarer positive class.
"""

from assay import textbook

scores = [0.95, 0.9, 0.8, 0.7, 0.6, 0.55, 0.4, 0.3, 0.2, 0.1]
urgent = [True, True, False, True, False, True, False, False, False, False]
for threshold in (0.15, 0.35, 0.5, 0.65, 0.85):
    said = [score > threshold for score in scores]
    outcomes = textbook.confusion(urgent, said).one_against_rest(True)
    figures = [outcomes.precision(), outcomes.recall(), outcomes.f(), outcomes.f(beta=2)]
    print(
        f"above {threshold}: " + ", ".join(f"{n} {v:.2f}" for n, v in zip(("P", "R", "F1", "F2"), figures, strict=True))
    )
