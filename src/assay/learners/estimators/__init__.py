"""The learners in scikit-learn's manners: parameters, checks and fitted attributes around the solvers.

`base` checks what every learner is given; `counting` and `mistake_driven` hold what naive Bayes and the perceptrons
share; each learner has a module of its own.
"""
