"""What would make a person of the George Washington Bridge?

Try: other names, other weights.
"""

from assay import textbook

model = textbook.trace("linear-scores").arguments["model"]
words = ["George", "Washington", "Bridge", "General"]
for name in ("George Washington Bridge", "General George Washington", "George Washington University"):
    (x,) = textbook.binary_vectors([name], words, unknown=True)
    scores = {c: round(score, 2) for c, score in model.scores(x).items()}
    print(f"{name:30} {scores} -> {model.predict(x)}")
