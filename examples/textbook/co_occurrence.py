"""A small window and a large one.

Try: a text of your own.
"""

from assay import textbook

text = "The cat drinks milk. The dog drinks water. A cat eats fish, and a dog eats meat. Milk and water are drinks."
for c in (1, 3):
    found = textbook.cooccurrence(text.lower(), c=c)
    rows = dict(zip(found.words, found.matrix().tolist(), strict=True))
    for other in ("dog", "milk", "eats"):
        print(f"c = {c}: cat and {other:5} cosine {textbook.cosine_similarity(rows['cat'], rows[other]):.3f}")
