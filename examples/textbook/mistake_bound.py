"""The bound, and the mistakes really made, as the classes move apart.

Try: a gap of 0.
"""

from assay import textbook

for gap in (0.25, 0.5, 1.0, 2.0):
    X = [[-gap, 1], [-gap, -1], [gap, 1], [gap, -1]]
    y = ["left", "left", "right", "right"]
    gamma = textbook.lead([[-1, 0, 0], [1, 0, 0]], X, y, classes=["left", "right"])
    bound = textbook.mistake_bound(textbook.radius(X), gamma)
    model = textbook.multiclass_perceptron(X, y)
    print(f"gap {gap:4}: {sum(model.mistakes):2} mistakes, at most {bound:6.1f}")
