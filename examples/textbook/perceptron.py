"""Does the order of the examples matter?

Try: data that cannot be separated, such as XOR with a fifth point.
"""

import random

from assay import textbook
from assay.textbook import worked

for seed in range(5):
    order = random.Random(seed).sample(range(10), 10)
    model = textbook.perceptron(worked.LEXICON_COUNTS, worked.LEXICON_LABELS, order=lambda epoch, order=order: order)
    print(f"order {order}: w = {model.w}, b = {model.b}, mistakes {model.mistakes}")
print("Each separates the ten reviews, and each is another line.")
