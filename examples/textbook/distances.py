"""A text and the same text twice: far apart, and in the same direction.

Try: compare texts that share words with texts that share topics only.
"""

from assay import textbook

texts = ["good cast good plot", "good cast good plot good cast good plot", "dull plot"]
vectors = textbook.count_vectors(texts)
for i, j, euclidean, cosine in textbook.distances(vectors):
    print(f"{texts[i]!r} and {texts[j]!r}: distance {euclidean:.3f}, cosine {cosine:.3f}")
