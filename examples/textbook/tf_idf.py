"""Which word tells most about each document?

Try: add a document that repeats a rare word; its weight falls everywhere.
"""

from assay import textbook

documents = [
    "the cat sat on the mat",
    "the dog sat on the cat",
    "the stock fell and the market fell",
    "the market rose",
]
words = textbook.vocabulary(documents)
for form in ("raw", "length-normalised"):
    print(form)
    for document, vector in zip(documents, textbook.tfidf(documents, form=form), strict=True):
        weight, word = max(zip(vector, words, strict=True))
        print(f"  {word:8} {weight:.3f}  {document}")
