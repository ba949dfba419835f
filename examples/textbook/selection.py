"""Four figures, four rankings.

Try: a rare word that came once in the right class.
"""

from assay import textbook
from assay.textbook import worked

steps = list(textbook.rank_words_steps(worked.SHORT_REVIEWS, worked.SHORT_REVIEW_LABELS, label="-"))
rankings = {
    "information gain": lambda step: step.score,
    "χ²": lambda step: step.parameters["χ²"],
    "PMI with -": lambda step: step.parameters["PMI"],
    "Gini": lambda step: step.parameters["Gini"],
}
for name, figure in rankings.items():
    ranked = sorted(steps, key=figure, reverse=True)
    print(f"{name:17}", ", ".join(step.seen for step in ranked[:4]))
