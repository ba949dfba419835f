"""Back-propagation through a network small enough to draw: the chain rule, one node after the other.

                x₁ ─w₁─┐
                       ├─ h₁ = w₁ x₁ + w₂ x₂ ─u₁─┐
                x₂ ─w₂─┘                         │
                                                 ├─ y = u₁ h₁ + u₂ h₂      L = (y - y′)²
                x₃ ─w₃─┐                         │
                       ├─ h₂ = w₃ x₃ + w₄ x₄ ─u₂─┘
                x₄ ─w₄─┘

forward: compute h₁, h₂, y, L from left to right. backward: compute ∂L/∂(everything) from right to left,

    ∂L/∂y = 2 (y - y′)        ∂L/∂u₁ = ∂L/∂y · h₁ = 2 (y - y′) h₁
    ∂L/∂h₁ = ∂L/∂y · u₁       ∂L/∂w₁ = ∂L/∂h₁ · x₁ = 2 (y - y′) u₁ x₁       and so on for the others.

Each node needs only what its right-hand neighbour computed: nothing is differentiated twice.

References
----------
McDonald, *Classification* (AthNLP 2024), "Toy example: analytical partial derivatives" and "Backpropagation
at work".
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.textbook.inputs import InputError, Vector, as_vector
from assay.textbook.steps import Step, Steps, finish

__all__ = ["Gradients", "backpropagate", "backpropagate_steps", "forward"]


@dataclass(frozen=True)
class Gradients:
    """Every derivative of the loss, and the loss.

    Parameters
    ----------
    loss
        L.
    y
        ∂L/∂y.
    u, h, w, x
        ∂L/∂uᵢ, ∂L/∂hᵢ, ∂L/∂wᵢ, ∂L/∂xᵢ. The last are for inputs that are learned too, as word vectors are.
    """

    loss: float
    y: float
    u: tuple[float, float]
    h: tuple[float, float]
    w: tuple[float, float, float, float]
    x: tuple[float, float, float, float]


def forward(x: Vector, w: Vector, u: Vector) -> tuple[float, float, float]:
    """Compute h₁, h₂ and y.

    Examples
    --------
    >>> forward(x=[2, 3, 1, 1], w=[1, 2, 1, 1], u=[0.5, 1.0])
    (8.0, 2.0, 6.0)
    """
    x, w, u = as_vector(x), as_vector(w, "w"), as_vector(u, "u")
    if (len(x), len(w), len(u)) != (4, 4, 2):
        raise InputError(f"The network has 4 inputs, 4 weights w and 2 weights u; given {len(x)}, {len(w)}, {len(u)}.")
    h1 = w[0] * x[0] + w[1] * x[1]
    h2 = w[2] * x[2] + w[3] * x[3]
    return h1, h2, u[0] * h1 + u[1] * h2


def backpropagate_steps(x: Vector, w: Vector, u: Vector, target: float) -> Steps[Gradients]:
    """Go forward and then backward, one node a step; see `backpropagate`."""
    h1, h2, y = forward(x, w, u)
    loss = (y - target) ** 2
    on_y = 2 * (y - target)
    on_u = (on_y * h1, on_y * h2)
    on_h = (on_y * u[0], on_y * u[1])
    on_w = (on_h[0] * x[0], on_h[0] * x[1], on_h[1] * x[2], on_h[1] * x[3])
    on_x = (on_h[0] * w[0], on_h[0] * w[1], on_h[1] * w[2], on_h[1] * w[3])
    nodes = [
        ("h₁", f"{w[0]:g}·{x[0]:g} + {w[1]:g}·{x[1]:g}", h1, "forward", {}),
        ("h₂", f"{w[2]:g}·{x[2]:g} + {w[3]:g}·{x[3]:g}", h2, "forward", {}),
        ("y", f"{u[0]:g}·{h1:g} + {u[1]:g}·{h2:g}", y, "forward", {}),
        ("L", f"({y:g} - {target:g})²", loss, "forward", {}),
        ("y", f"2·({y:g} - {target:g})", on_y, "backward", {"∂L/∂y": on_y}),
        ("u", f"{on_y:g}·h", None, "backward", {"∂L/∂u₁": on_u[0], "∂L/∂u₂": on_u[1]}),
        ("h", f"{on_y:g}·u", None, "backward", {"∂L/∂h₁": on_h[0], "∂L/∂h₂": on_h[1]}),
        ("w", "∂L/∂h·x", None, "backward", {f"∂L/∂w{i}": g for i, g in zip("₁₂₃₄", on_w, strict=True)}),
        ("x", "∂L/∂h·w", None, "backward", {f"∂L/∂x{i}": g for i, g in zip("₁₂₃₄", on_x, strict=True)}),
    ]
    for number, (node, formula, value, direction, gradients) in enumerate(nodes, start=1):
        yield Step(
            number,
            seen=node,
            score=value,
            decision=direction,
            update=formula,
            parameters=gradients,
            why="from the left" if direction == "forward" else "chain rule",
        )
    return Gradients(loss, on_y, on_u, on_h, on_w, on_x)


def backpropagate(x: Vector, w: Vector, u: Vector, target: float) -> Gradients:
    """Compute every derivative of L = (y - y′)² in one backward pass.

    Parameters
    ----------
    x
        The four inputs.
    w
        The four weights into the hidden nodes.
    u
        The two weights into the output.
    target
        y′, what y should have been.

    Examples
    --------
    >>> gradients = backpropagate(x=[2, 3, 1, 1], w=[1, 2, 1, 1], u=[0.5, 1.0], target=4.0)
    >>> gradients.y, gradients.u[0], gradients.w[0]
    (4.0, 32.0, 4.0)
    """
    return finish(backpropagate_steps(x, w, u, target))
