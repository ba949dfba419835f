"""How many voters are needed?

Try: more noise in the labels.
"""

import random

from assay import textbook

draw = random.Random(5)
X = [[draw.gauss(0, 1), draw.gauss(0, 1)] for _ in range(300)]
y = [int((x[0] + x[1] > 0) != (draw.random() < 0.1)) for x in X]
voted = textbook.voted_perceptron(X, y, epochs=5)
for least in (0, 2, 5, 10):
    kept = voted.at_least(least)
    right = sum(kept.predict(x) == int(x[0] + x[1] > 0) for x in X)
    print(f"at least {least:2} votes: {len(kept.survivors):3} voters, {right} of 300 as without noise")
