"""How many hidden nodes does XOR need, and with which bend?

Try: other seeds; some starts end in a poor valley.
"""

from assay import textbook
from assay.textbook import worked

for activation in ("tanh", "relu", "sigmoid"):
    for nodes in (1, 4):
        right = 0
        for seed in range(2):
            rate = 2.0 if activation == "sigmoid" else 0.5
            network = textbook.feed_forward(
                worked.SQUARE, worked.XOR, (nodes,), activation, rate=rate, epochs=200, seed=seed
            )
            right += [network.predict(x) for x in worked.SQUARE] == list(worked.XOR)
        print(f"{activation:8} {nodes} nodes: learned from {right} of 2 starts")
