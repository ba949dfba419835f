"""Learn with the gradients: the toy network finds its target.

Try: a larger step.
"""

from assay import textbook
from assay.textbook import worked

w, u = list(worked.TOY_W), list(worked.TOY_U)
for step in range(1, 7):
    gradients = textbook.backpropagate(worked.TOY_INPUTS, w, u, worked.TOY_TARGET)
    print(f"step {step}: y = {textbook.forward(worked.TOY_INPUTS, w, u)[2]:.4f}, loss {gradients.loss:.4f}")
    w = textbook.add(w, gradients.w, times=-0.01)
    u = textbook.add(u, gradients.u, times=-0.01)
