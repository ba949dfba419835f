"""What does one more positive word do to the probability?

Try: a longer review, an exclamation mark.
"""

from assay import textbook
from assay.textbook import worked

for positive_words in range(7):
    x = (positive_words, *worked.SIX_FEATURES[1:])
    p = textbook.probability(x, worked.SIX_WEIGHTS, worked.SIX_BIAS)
    odds = p / (1 - p)
    print(f"{positive_words} positive words: P(+) = {p:.4f}, odds {odds:10.4f}, log odds {textbook.logit(p):+.2f}")
print("Each word adds 2.5 to the log odds: the odds are multiplied by e^2.5, about 12.")
