"""Probabilities on the way from one class to another.

Try: more epochs make it surer.
"""

from assay import textbook
from assay.textbook import worked

model = textbook.multinomial_logistic(worked.TOPIC_COUNTS, worked.TOPIC_LABELS, rate=0.1, epochs=100)
for money_words in range(8):
    p = model.probabilities([5, money_words])
    bars = "  ".join(f"{c} {'#' * round(20 * share):20}" for c, share in p.items())
    print(f"5 sports words, {money_words} money words: {bars}")
