"""Vectors from a tiny text: who is near whom?

Try: more epochs, other windows, another seed.
"""

from assay import textbook

text = "the cat drinks milk the dog drinks water the cat eats fish the dog eats meat " * 2
vectors = textbook.skipgram(text, dimensions=6, c=2, negatives=3, rate=0.05, epochs=50, seed=2)
for word in ("cat", "milk", "eats"):
    near = sorted(
        (textbook.cosine_similarity(vectors.vector(word), vectors.vector(other)), other)
        for other in vectors.words
        if other != word
    )
    print(f"{word}: nearest are", ", ".join(f"{other} {cosine:.2f}" for cosine, other in near[:-4:-1]))
