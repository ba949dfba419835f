"""A file a command, and the list of them: the command NAME is the function NAME_cli of the file NAME.py."""

from __future__ import annotations

__all__ = ["COMMANDS"]

#: Name → what it does, in the order of ``assay --help``.
COMMANDS = {
    "train": "Train a classifier, choosing everything that you do not choose.",
    "predict": "Label new texts with a model, one or a billion.",
    "evaluate": "Measure a model on labelled texts, with error bars.",
    "compare": "Test whether one model is really better than another.",
    "update": "Train a model again with labels that people gave since.",
    "explain": "Show why a model gives a text its label.",
    "serve": "Answer over HTTP: labels, probabilities and explanations.",
    "next": "Pick the texts to label next.",
    "audit": "Look for harm and weak spots in a model and its data.",
    "drift": "Show whether new texts are still like those that a model was trained on.",
    "card": "Write a model card, in Markdown or HTML.",
    "regress": "Test whether words have to do with the labels, beyond length or other columns.",
    "agree": "Measure how far people who label the same texts agree.",
    "inspect": "Show what is in a data set, or in a model.",
    "convert": "Write data in another format.",
    "workspace": "Make a folder in which texts, labels and models grow together, or show how far it is.",
    "label": "Label the texts of a workspace: one key a label, or a table of labels.",
    "embed": "Learn word vectors from texts; labels are not needed.",
    "neighbors": "Show the words whose vectors are nearest to that of a word.",
    "analogy": "Show the words nearest to a sum of words: king - man + woman.",
    "cluster": "Put texts into clusters, named by the words that tell them apart.",
    "trace": "Show an algorithm of the textbook step by step.",
    "demo": "Show what assay does, on a small data set of its own.",
    "info": "Print versions and machine, ready to paste into a report.",
}
