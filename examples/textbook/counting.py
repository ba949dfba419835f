"""The same counting, with words instead of symbols.

Try: a review with a word that was seen once only.
"""

from assay import textbook

reviews = ["good cast", "good plot", "bad cast", "bad bad plot"]
table = textbook.count_symbols(reviews, ["+", "+", "-", "-"])
for word in table.counts:
    print(f"P(+|{word}) = {table.probability('+', word):.2f}")
print("good bad cast:", table.predict("good bad cast"))
