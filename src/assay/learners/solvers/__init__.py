"""Solvers of linear classifiers: a problem and settings in, weights out; nothing here needs scikit-learn.

The way from rows to weights, which a fold of a search, a training and `fit` of an estimator all go::

    LabelledRows (rows, classes, weights)      labelled_rows, targets, class_weights, class_counts, examples
        │  + settings of one learner           svm, logistic, nbsvm, naive_bayes, averaged_perceptron
        ▼  fit_linear                          fit: one learner or another; classes without rows; each_label: of sets
    Solution (weights, biases, convergence)    solution; a problem for the native core is made in problem
"""
