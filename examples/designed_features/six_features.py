"""Sentiment by six features: words of a positive and of a negative list, "no", pronouns, "!" and the length.

    python examples/designed_features/six_features.py [TRAIN.csv[.gz] TEST.csv[.gz]] [--positive FILE --negative FILE]

After the worked example of Jurafsky & Martin, *Speech and Language Processing*, chapter 4.2, whose weights and bias are
applied first, to a review of our own that has the book's values. With files of reviews (columns `text` and `label`), a
logistic regression then learns weights of its own, which are shown.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from pathlib import Path

import assay
from assay.features import JoinedVectorizer, vectorizer_from_settings

HERE = Path(__file__).resolve().parent
REVIEW = (
    "The plot is predictable, there are no surprises, and the second act is slow. And still the evening was enjoyable. "
    "Why? The cast is great, the songs are fun, and the last scene had the whole room on its feet. On the way home I "
    "could not get the melody out of my head, and soon it will stay with you as well, day and night."
)
#: Of the book.
BOOK_WEIGHTS = {
    "positive words": 2.5,
    "negative words": -5.0,
    "no": -1.2,
    "pronouns": 0.5,
    "exclaims": 2.0,
    "log length": 0.7,
}
BOOK_BIAS = 0.1


def vectorizer(positive: Path | None = None, negative: Path | None = None) -> JoinedVectorizer:
    """The six features of six-features.toml, with other lists if they are given."""
    settings = tomllib.loads((HERE / "six-features.toml").read_text(encoding="utf-8"))["features"]
    for name, file in (("positive", positive), ("negative", negative)):
        if file:
            settings["lexicons"][name] = str(file.resolve())
    return vectorizer_from_settings(settings, HERE)


def values_of(text: str) -> dict[str, float]:
    """The six values of a text."""
    features = vectorizer().fit([text, 'no! good dull "me"'])
    names = [name.removeprefix("templates__") for name in features.get_feature_names_out()]
    return dict(zip(names, features.transform([text]).toarray()[0].tolist(), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="CSV", help="to train on, and to test on")
    parser.add_argument("--positive", type=Path)
    parser.add_argument("--negative", type=Path)
    arguments = parser.parse_args()
    print(REVIEW, end="\n\n")
    score = BOOK_BIAS
    for name, value in values_of(REVIEW).items():
        score += BOOK_WEIGHTS[name] * value
        print(f"{name:<15} {value:5.2f} × {BOOK_WEIGHTS[name]:4.1f}")
    print(f"{'score':<15} {score:5.2f}   P(positive) = {1 / (1 + math.exp(-score)):.2f}")
    if len(arguments.files) != 2:
        return
    train, test = map(assay.read, arguments.files)
    model = assay.TextClassifier(vectorizer(arguments.positive, arguments.negative), "logistic").fit(train)
    print(f"\nlearned from {len(train):,} reviews; accuracy on {len(test):,} others {model.score(test):.4f}")
    names = model.vectorizer_.get_feature_names_out()
    for name, weight in zip(names, model.learner_.coef_[0], strict=True):
        print(f"{name.removeprefix('templates__'):<15} {weight:7.3f}")


if __name__ == "__main__":
    main()
