"""Three reviews as vectors: which words do two of them share?

Try: leave out the stop words, or count pairs of words as well.
"""

from assay import textbook

reviews = ["a good film with a good cast", "a bad film", "the cast was good , the film was not"]

words = textbook.vocabulary(reviews, stop_words=textbook.STOP_WORDS)
print("vocabulary:", words)
for review, vector in zip(reviews, textbook.count_vectors(reviews, words), strict=True):
    print(vector, review)

pairs = [[*review.split(), *textbook.bigrams(review)] for review in reviews]
shared = set(pairs[0]) & set(pairs[2])
print("the first and the third share", sorted(shared))
