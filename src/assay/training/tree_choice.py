"""When a label tree is learned, and which: without what it takes to measure one."""

from __future__ import annotations

from dataclasses import replace

from assay.label_sets import Task
from assay.training.candidates import candidate_recipes
from assay.training.recipes import Recipe
from assay.training.settings import TrainingSettings

__all__ = ["MANY_LABELS", "takes_tree", "tree_recipe"]

#: Labels from which on a tree is learned where no learner was chosen.
MANY_LABELS = 2000


def takes_tree(settings: TrainingSettings, task: Task, n_labels: int) -> bool:
    """Whether a label tree is learned: because it was chosen, or because there are that many labels."""
    if settings.recipes:
        return settings.recipes[0].learner.name == "label-tree"
    chosen = settings.wishes.learner
    return chosen == "label-tree" or (chosen is None and task == "label-sets" and n_labels >= MANY_LABELS)


def tree_recipe(settings: TrainingSettings, n_texts: int, *, spaces: bool) -> Recipe:
    """The one recipe; what was chosen of it stays."""
    if settings.recipes:
        return settings.recipes[0]
    wishes = replace(settings.wishes, learner="label-tree")
    if not wishes.by_hand:
        wishes = replace(wishes, words=(1, 2)) if spaces else replace(wishes, characters=(1, 4))
    return candidate_recipes(wishes, n_texts=n_texts, spaces=spaces)[0]
