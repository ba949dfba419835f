"""The textbook: every algorithm as the books define it, readable in one sitting, showing its steps.

One file is one algorithm. Each has a generator, ``…_steps``, that yields a frozen `Step` for everything it
looks at and returns its result, and a function that runs it to the end. `trace` prints the steps as the
books' tables, as HTML, as JSON, or draws them. Nothing here is fast, and nothing else of assay is imported:
the native kernels are tested against it.

>>> from assay import textbook
>>> model = textbook.perceptron([[1], [10], [2], [20]], ["-", "+", "-", "+"])
>>> model.w, model.b
((2.0,), -4.0)
"""

from __future__ import annotations

from assay.textbook.activations import ACTIVATIONS, activate, slope
from assay.textbook.arithmetic import add, dot, mean, norm
from assay.textbook.averaged_perceptron import (
    average_over_examples,
    average_over_examples_steps,
    average_over_updates,
    average_over_updates_steps,
)
from assay.textbook.backpropagation import Gradients, backpropagate, backpropagate_steps, forward
from assay.textbook.catalogue import ALGORITHMS, Algorithm, Example
from assay.textbook.convolution import average_pooling, convolve, convolve_steps, max_pooling
from assay.textbook.cooccurrence import Cooccurrence, cooccurrence, cooccurrence_steps, words_of
from assay.textbook.counting import SymbolCounts, count_symbols, count_symbols_steps
from assay.textbook.cross_validation import cross_validate, cross_validate_steps, folds
from assay.textbook.distances import cosine_distance, cosine_similarity, distances, distances_steps, euclidean_distance
from assay.textbook.feed_forward import (
    FeedForward,
    Layer,
    feed_forward,
    feed_forward_steps,
    network_gradients,
    random_layers,
)
from assay.textbook.gradient_descent import gradient_descent, gradient_descent_steps, numerical_gradient
from assay.textbook.inputs import InputError, SettingError
from assay.textbook.kmeans import Clusters, kmeans, kmeans_steps
from assay.textbook.label_sets import LabelSetPerceptron, label_set_perceptron, label_set_perceptron_steps
from assay.textbook.label_threshold import LabelThreshold, label_threshold, label_threshold_steps
from assay.textbook.linear import BinaryLinear, MulticlassLinear, joint_features, linear_scores_steps, output_features
from assay.textbook.linear_svm import (
    LinearSVM,
    distance_to_hyperplane,
    hinge_loss,
    linear_svm,
    linear_svm_steps,
    margin,
)
from assay.textbook.logistic import LogisticRegression, logistic_regression, logistic_regression_steps
from assay.textbook.logistic_functions import (
    cross_entropy,
    logit,
    negative_log_likelihood,
    probability,
    probability_steps,
    sigmoid,
    softmax,
    softmax_steps,
)
from assay.textbook.metrics import Confusion, Outcomes, confusion, confusion_steps, f_score
from assay.textbook.mistake_bound import lead, mistake_bound, radius
from assay.textbook.multiclass_perceptron import (
    MulticlassPerceptron,
    multiclass_perceptron,
    multiclass_perceptron_steps,
)
from assay.textbook.multiclass_svm import MulticlassSVM, multiclass_hinge_loss, multiclass_svm, multiclass_svm_steps
from assay.textbook.multinomial_logistic import (
    MultinomialLogisticRegression,
    multinomial_logistic,
    multinomial_logistic_steps,
)
from assay.textbook.naive_bayes import NaiveBayes, naive_bayes, naive_bayes_steps
from assay.textbook.perceptron import Perceptron, decide, perceptron, perceptron_steps
from assay.textbook.scaling import normalize, standardize
from assay.textbook.selection import (
    Cells,
    chi_squared,
    entropy,
    gini_gain,
    gini_impurity,
    information_gain,
    pointwise_mutual_information,
    rank_words,
    rank_words_steps,
)
from assay.textbook.set_averages import SetAverages, set_averages, set_averages_steps
from assay.textbook.significance import BootstrapTest, accuracy_difference, paired_bootstrap, paired_bootstrap_steps
from assay.textbook.steps import Run, Step, Steps, finish
from assay.textbook.svd import SVD, low_rank, svd, svd_steps, topics
from assay.textbook.tfidf import (
    document_frequencies,
    inverse_document_frequencies,
    term_frequencies,
    tfidf,
    tfidf_steps,
)
from assay.textbook.trace import Trace, find_algorithm, options_of, trace
from assay.textbook.vectors import STOP_WORDS, bigrams, binary_vectors, count_vectors, count_vectors_steps, vocabulary
from assay.textbook.voted_perceptron import Survivor, VotedPerceptron, voted_perceptron, voted_perceptron_steps
from assay.textbook.word2vec import (
    WordVectors,
    skipgram,
    skipgram_cost,
    skipgram_gradients,
    skipgram_steps,
    word_probabilities,
)

__all__ = [
    "ACTIVATIONS",
    "ALGORITHMS",
    "STOP_WORDS",
    "SVD",
    "Algorithm",
    "BinaryLinear",
    "BootstrapTest",
    "Cells",
    "Clusters",
    "Confusion",
    "Cooccurrence",
    "Example",
    "FeedForward",
    "Gradients",
    "InputError",
    "LabelSetPerceptron",
    "LabelThreshold",
    "Layer",
    "LinearSVM",
    "LogisticRegression",
    "MulticlassLinear",
    "MulticlassPerceptron",
    "MulticlassSVM",
    "MultinomialLogisticRegression",
    "NaiveBayes",
    "Outcomes",
    "Perceptron",
    "Run",
    "SetAverages",
    "SettingError",
    "Step",
    "Steps",
    "Survivor",
    "SymbolCounts",
    "Trace",
    "VotedPerceptron",
    "WordVectors",
    "accuracy_difference",
    "activate",
    "add",
    "average_over_examples",
    "average_over_examples_steps",
    "average_over_updates",
    "average_over_updates_steps",
    "average_pooling",
    "backpropagate",
    "backpropagate_steps",
    "bigrams",
    "binary_vectors",
    "chi_squared",
    "confusion",
    "confusion_steps",
    "convolve",
    "convolve_steps",
    "cooccurrence",
    "cooccurrence_steps",
    "cosine_distance",
    "cosine_similarity",
    "count_symbols",
    "count_symbols_steps",
    "count_vectors",
    "count_vectors_steps",
    "cross_entropy",
    "cross_validate",
    "cross_validate_steps",
    "decide",
    "distance_to_hyperplane",
    "distances",
    "distances_steps",
    "document_frequencies",
    "dot",
    "entropy",
    "euclidean_distance",
    "f_score",
    "feed_forward",
    "feed_forward_steps",
    "find_algorithm",
    "finish",
    "folds",
    "forward",
    "gini_gain",
    "gini_impurity",
    "gradient_descent",
    "gradient_descent_steps",
    "hinge_loss",
    "information_gain",
    "inverse_document_frequencies",
    "joint_features",
    "kmeans",
    "kmeans_steps",
    "label_set_perceptron",
    "label_set_perceptron_steps",
    "label_threshold",
    "label_threshold_steps",
    "lead",
    "linear_scores_steps",
    "linear_svm",
    "linear_svm_steps",
    "logistic_regression",
    "logistic_regression_steps",
    "logit",
    "low_rank",
    "margin",
    "max_pooling",
    "mean",
    "mistake_bound",
    "multiclass_hinge_loss",
    "multiclass_perceptron",
    "multiclass_perceptron_steps",
    "multiclass_svm",
    "multiclass_svm_steps",
    "multinomial_logistic",
    "multinomial_logistic_steps",
    "naive_bayes",
    "naive_bayes_steps",
    "negative_log_likelihood",
    "network_gradients",
    "norm",
    "normalize",
    "numerical_gradient",
    "options_of",
    "output_features",
    "paired_bootstrap",
    "paired_bootstrap_steps",
    "perceptron",
    "perceptron_steps",
    "pointwise_mutual_information",
    "probability",
    "probability_steps",
    "radius",
    "random_layers",
    "rank_words",
    "rank_words_steps",
    "set_averages",
    "set_averages_steps",
    "sigmoid",
    "skipgram",
    "skipgram_cost",
    "skipgram_gradients",
    "skipgram_steps",
    "slope",
    "softmax",
    "softmax_steps",
    "standardize",
    "svd",
    "svd_steps",
    "term_frequencies",
    "tfidf",
    "tfidf_steps",
    "topics",
    "trace",
    "vocabulary",
    "voted_perceptron",
    "voted_perceptron_steps",
    "word_probabilities",
    "words_of",
]
