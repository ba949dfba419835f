"""How many topics are enough to tell cats from stocks?

Try: print the topics' words.
"""

from assay import textbook

text = """cat dog pet cat pet dog dog cat pet vet cat vet
stock bond price bond stock price price stock bond bank stock bank"""
found = textbook.cooccurrence(text, c=2)
parts = textbook.svd(found.matrix())
for k in (1, 2, 3, len(parts.sigma)):
    vectors = dict(zip(found.words, (parts.U * parts.sigma)[:, :k].tolist(), strict=True))
    same = textbook.cosine_similarity(vectors["cat"], vectors["dog"])
    other = textbook.cosine_similarity(vectors["cat"], vectors["stock"])
    print(f"{k} topics: cat and dog {same:+.3f}, cat and stock {other:+.3f}")
print("topics:", textbook.topics(parts, found.words, n=3)[:2])
