"""Is this full stop the end of a sentence? Templates over places in a text, learned from CoNLL-U files.

    python examples/designed_features/full_stops.py TRAIN.conllu[.gz] TEST.conllu[.gz] [-o stops.assay]

Every full stop of every paragraph is an example; it ends a sentence if the annotation says that one ends there, closing
quotes and brackets left aside. The templates stand in full-stops.toml. Without files, a few sentences of our own show
what an example looks like.
"""

from __future__ import annotations

import argparse
import gzip
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.features import mark_places, vectorizer_from_settings

HERE = Path(__file__).resolve().parent
CLOSING = "\"')]}”’"
OWN = [
    ["Dr. Weiss lives in St. Gallen.", "She pays 3.50 for tea."],
    ["He asked Mr. Kaya, who left at 5 p.m. on Friday.", "Nobody came.", "The shop closed."],
    ["See www.example.org for more.", "It opens in Sept. and closes in March."],
    ["They moved to Elm St. last year.", "It is quiet.", "Their dog likes it."],
]


@dataclass(frozen=True)
class Stops:
    """Texts with one full stop marked in each, and whether it ends a sentence."""

    texts: list[str]
    labels: list[str]


def paragraphs(path: Path) -> Iterator[list[tuple[str, str]]]:
    """Sentences of each paragraph, each with the space that follows it."""
    content = path.read_bytes()
    sentences: list[tuple[str, str]] = []
    for line in (gzip.decompress(content) if path.suffix == ".gz" else content).decode().splitlines():
        if line.startswith(("# newdoc", "# newpar")) and sentences:
            yield sentences
            sentences = []
        elif line.startswith("# text = "):
            sentences.append((line.removeprefix("# text = "), " "))
        elif line[:1].isdigit() and sentences:  # the last token decides
            sentences[-1] = sentences[-1][0], "" if "SpaceAfter=No" in line.rpartition("\t")[2] else " "
    if sentences:
        yield sentences


def stops_of(paragraph: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Every full stop of a paragraph, marked, and its label."""
    text, ends = "", set()
    for sentence, space in paragraph:
        text += sentence
        ends.add(len(text))
        text += space
    places = [i for i, character in enumerate(text) if character == "."]
    for place, marked in zip(places, mark_places(text, r"\."), strict=True):
        after = place + 1
        while after not in ends and after < len(text) and text[after] in CLOSING:
            after += 1
        yield marked, "end" if after in ends else "inside"


def read_stops(path: Path) -> Stops:
    """All full stops of a file."""
    found = [example for paragraph in paragraphs(path) for example in stops_of(paragraph)]
    return Stops([text for text, _ in found], [label for _, label in found])


def own_stops() -> Stops:
    """Full stops of a few sentences of our own."""
    found = [example for sentences in OWN for example in stops_of([(sentence, " ") for sentence in sentences])]
    return Stops([text for text, _ in found], [label for _, label in found])


def train(stops: Stops) -> assay.TextClassifier:
    """A logistic regression on the templates of full-stops.toml."""
    settings = tomllib.loads((HERE / "full-stops.toml").read_text(encoding="utf-8"))
    return assay.TextClassifier(vectorizer_from_settings(settings["features"], HERE), "logistic").fit(
        stops.texts, stops.labels
    )


def f1_of_end(truth: list[str], predicted: list[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the ends of sentences."""
    hits = sum(t == p == "end" for t, p in zip(truth, predicted, strict=True))
    precision, recall = hits / max(predicted.count("end"), 1), hits / truth.count("end")
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-12)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="CONLLU", help="to train on, and to test on")
    parser.add_argument("-o", "--output", type=Path, help="where to save the model")
    arguments = parser.parse_args()
    training, test = map(read_stops, arguments.files) if len(arguments.files) == 2 else (own_stops(), own_stops())
    model = train(training)
    print(f"{len(training.texts):,} full stops to train on, {len(test.texts):,} to test on")
    answers = {"always yes": ["end"] * len(test.labels), "templates": model.predict(test.texts).tolist()}
    for name, predicted in answers.items():
        precision, recall, f1 = f1_of_end(test.labels, predicted)
        print(f"{name:<12} precision {precision:.4f}   recall {recall:.4f}   F1 {f1:.4f}")
    for text in ("He met Mr[[.]] Smith.", "She sat down[[.]] He left."):
        print(f"{text:<28} {model.predict([text])[0]}")
    if arguments.output:
        model.save(arguments.output)


if __name__ == "__main__":
    main()
