"""Which learning rates find the minimum of (x + 1)² + 1?

Try: features of different sizes, as two parameters with different slopes.
"""

from assay import textbook


def f(x: float) -> float:
    return (x + 1) ** 2 + 1


for rate in (0.01, 0.1, 0.5, 0.9, 1.0, 1.1):
    x = textbook.gradient_descent(f, -3.0, lambda x: 2 * (x + 1), rate=rate, iterations=30)
    print(f"rate {rate:4}: x = {x:12.4f} after 30 steps")
