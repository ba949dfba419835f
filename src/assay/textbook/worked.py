"""The books' worked examples, as data.

Where a book's text is only described, or its figure did not come with numbers, what was filled in is said.
"""

from __future__ import annotations

import math

# Surdeanu & Valenzuela-Escárcega, Table 2.4: three product reviews over five words.
REVIEW_WORDS = ("good", "excellent", "bad", "horrible", "boring")
REVIEWS = ((1, 1, 1, 0, 0), (0, 0, 1, 1, 0), (0, 0, 1, 0, 1))
REVIEW_LABELS = ("Positive", "Negative", "Negative")

# Surdeanu & Valenzuela-Escárcega, Table 2.6: the number of positive words in four reviews.
POSITIVE_WORDS = ((1,), (10,), (2,), (20,))
POSITIVE_WORDS_LABELS = ("Negative", "Positive", "Negative", "Positive")

# McDonald, what a simple perceptron can and cannot do; Surdeanu & Valenzuela-Escárcega, section 2.7.
SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
AND = (0, 0, 0, 1)
OR = (0, 1, 1, 1)
XOR = (0, 1, 1, 0)

# Made for this textbook: reviews as (positive words, negative words).
LEXICON_COUNTS = ((4, 1), (1, 3), (5, 4), (2, 2.5), (3, 2), (3, 5), (6, 3), (1, 1.5), (2, 0.5), (5, 6.5))
LEXICON_FEATURES = ("positive words", "negative words")
LEXICON_LABELS = ("+", "-", "+", "-", "+", "-", "+", "-", "+", "-")

# Made for this textbook: articles as (sports words, money words), in three classes.
TOPIC_COUNTS = ((5, 1), (6, 2), (4, 0.5), (1, 5), (2, 6), (0.5, 4), (5, 5), (6, 6), (4.5, 6))
TOPIC_FEATURES = ("sports words", "money words")
TOPIC_LABELS = ("sport", "sport", "sport", "money", "money", "money", "transfer", "transfer", "transfer")

# Jurafsky & Martin, chapter 4.3.1 and Figure 4.2: one review as six features, with the weights given there.
SIX_FEATURES = (3, 2, 1, 3, 0, math.log(66))
SIX_NAMES = ("positive words", "negative words", "has no", "I, you", "has !", "ln(length)")
SIX_WEIGHTS = (2.5, -5.0, -1.2, 0.5, 2.0, 0.7)
SIX_BIAS = 0.1

# Jurafsky & Martin, chapter 4.7.1: six scores.
SIX_SCORES = (0.6, 1.1, -1.5, 1.2, 3.2, -1.1)

# Zhang, chapter 3.1, table (a): the four documents, with the full stops that its table counts.
TIM_DOCUMENTS = (
    "Tim bought a book .",
    "Tim is reading a book",
    "ah , I know Tim .",
    "I saw a boy reading a book",
)
TIM_WORDS = ("a", "ah", "book", "bought", "boy", "I", "is", "know", "reading", "saw", "Tim", ",", ".")

# Zhang, chapter 3.1, Python practice 1 to 3: the same with another third document.
TIM_PRACTICE = (
    "Tim bought a book .",
    "Tim is reading a book .",
    "ah , Tim is Tim .",
    "I saw a boy reading a book .",
)
TIM_STOP_WORDS = ("a", ".", ",")

# McDonald, "Let's start simple": four sequences of symbols.
SYMBOLS = ("★ ◇ ○", "★ ♥ △", "★ △ ♠", "◇ △ ○")
SYMBOL_LABELS = (-1, -1, +1, +1)

# McDonald, linear classifiers: five features of a name, and the weights of two classes.
NAME_WORDS = ("George", "Washington", "Bridge", "General")
NAME_FEATURES = (*NAME_WORDS, "(unknown)")
PERSON_WEIGHTS = (0.3, 1.2, -5.4, 3.8, -0.09)
LOCATION_WEIGHTS = (-0.6, 2.4, 4.0, -2.1, 0.1)

# Made for this textbook after Zhang's sports words (goal, fans) and money words (stock, loan, CEO).
NEWS = ("goal fans goal match", "fans match goal", "stock loan CEO", "loan stock stock", "CEO loan fans")
NEWS_LABELS = ("sports", "sports", "money", "money", "money")

# Made for this textbook: six short reviews to rank words on.
SHORT_REVIEWS = (
    "good plot good cast",
    "good cast",
    "great plot",
    "bad plot bad cast",
    "bad film good music",
    "dull plot",
)
SHORT_REVIEW_LABELS = ("+", "+", "+", "-", "-", "-")

# Surdeanu & Valenzuela-Escárcega, section 7.1: a text with the same three windows around *bagel*.
BAGEL = (
    "A bagel and cream cheese, also known as bagel with cream cheese, is at home in American cuisine. "
    "The bagel is typically sliced, and it may be toasted."
)

# McDonald, "Toy example: backpropagation at work". Its text gives dL/dy = 4, dL/dw1 = 2 * 2 = 4 and
# dL/du1 = 4 * h1 = 16, so x1 = 2, u1 = 1/2 and h1 = 4 (the slide prints 8 for it, which does not give 16);
# the rest is filled in.
TOY_INPUTS = (2, 3, 1, 4)
TOY_W = (0.5, 1, 2, 0.5)
TOY_U = (0.5, 0.25)
TOY_TARGET = 1

# Jurafsky & Martin, Figure 4.8: rows are what the system said, columns are the gold labels.
EMAIL_CLASSES = ("urgent", "normal", "spam")
EMAIL_TABLE = ((8, 10, 1), (5, 60, 50), (3, 30, 200))

# Surdeanu & Valenzuela-Escárcega, Table 2.2: five decisions.
FIVE_GOLD = ("+", "+", "-", "-", "+")
FIVE_PREDICTED = ("+", "-", "-", "+", "+")

# Jurafsky & Martin, Figure 4.11: for ten documents whether A and B were right.
TEN_DOCUMENTS = ((1, 1), (1, 0), (1, 1), (0, 1), (1, 0), (0, 1), (1, 0), (1, 1), (0, 0), (1, 0))

# Made for this textbook: articles as (sports words, money words, vote words), with a set of labels each; one has none.
ARTICLES = ((3, 0, 0), (0, 3, 0), (2, 2, 0), (0, 0, 3), (0, 2, 2), (0, 0, 0), (2, 0, 2))
ARTICLE_FEATURES = ("sports words", "money words", "vote words")
ARTICLE_SETS = (("sport",), ("money",), ("money", "sport"), ("vote",), ("money", "vote"), (), ("sport", "vote"))

# Made for this textbook: six texts with their labels, and those that a system gave them.
SIX_SETS = (("news",), ("news", "sport"), ("news",), ("news", "art"), ("sport",), ("news", "sport"))
SIX_ANSWERS = (("news",), ("news", "sport"), ("news", "sport"), ("news",), ("sport",), ("news",))

# Made for this textbook: what a model gave for a rare label of ten texts, and which of them have it.
RARE_PROBABILITIES = (0.45, 0.4, 0.32, 0.3, 0.22, 0.15, 0.12, 0.08, 0.05, 0.02)
RARE_GOLD = (True, True, False, True, False, False, False, False, False, False)

# Made for this textbook: word vectors as (praise, negation), and two filters over pairs of words.
SENTENCE = ("the", "film", "was", "not", "good", "but", "great", "fun")
SENTENCE_VECTORS = ((0, 0), (0, 0), (0, 0), (0, 1), (1, 0), (0, 0.5), (2, 0), (1, 0))
FILTERS = ((1, 0, 1, 0), (0, 2, 1, 0))  # "praise and praise", "negation before praise"
FILTER_BIASES = (-1, -2)


def email_decisions() -> list[tuple[str, str]]:
    """Give the e-mails of `EMAIL_TABLE` one by one, each as (gold label, what the system said)."""
    return [
        (gold, system)
        for system, row in zip(EMAIL_CLASSES, EMAIL_TABLE, strict=True)
        for gold, n in zip(EMAIL_CLASSES, row, strict=True)
        for _ in range(n)
    ]
