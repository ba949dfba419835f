"""Texts to read, with the words coloured by what they contribute: the most typical, the worst, and all mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from assay.explanation.batch import explain_texts
from assay.explanation.decision import Explanation
from assay.explanation.occlusion import Occlusion, occlude
from assay.explanation.presentation import coloured_html, removal_sentence
from assay.explanation.words import TextPiece
from assay.prediction.linear_model import LinearTextModel
from assay.report.sections.measured import Measured

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["DocumentsSection", "ShownText", "documents_section"]

WORST = 5
MOST_TYPICAL = 12  # classes of which a typical text is shown
MOST_MISTAKES = 400
ROOM = 900_000  # bytes that the texts may take in the page
LONG, SHORT = 1200, 600  # characters shown of a text, alone and in a list


@dataclass(frozen=True)
class ShownText:
    """A text on the page.

    Attributes
    ----------
    colours
        The beginning of the text as HTML, its words coloured.
    left_out
        Characters after the part that is shown.
    hangs_on
        Which words the decision hangs on, in a sentence; empty where nobody looked.
    about
        Where texts have sets of labels, the label by which the words are coloured; else empty.
    missed, spurious
        The labels to find it by, each on a line: that are true and were not given, and that were given wrongly.
    sureness
        How sure the model was of what was most wrong.
    """

    row: int
    place: str
    truth: str
    said: str
    confidence: float | None
    colours: Markup
    left_out: int
    hangs_on: str = ""
    about: str = ""
    missed: str = ""
    spurious: str = ""
    sureness: float | None = None


@dataclass(frozen=True)
class DocumentsSection:
    """What the section shows."""

    typical: tuple[ShownText, ...]
    worst: tuple[ShownText, ...]
    mistakes: tuple[ShownText, ...]
    n_mistakes: int
    labels: tuple[str, ...]
    exact: bool  # whether the colours are; those of a network are not


def documents_section(model: TextClassifier | NetworkClassifier, on: Measured) -> DocumentsSection:
    """Texts of an evaluation, explained by the model."""
    page = _Page(model, on) if on.sets is None else _SetPage(model, on)
    wrong = np.flatnonzero(~on.evaluation.outcomes.correct)
    if page.sureness is not None:
        wrong = wrong[np.argsort(-page.sureness[wrong], kind="stable")]
    return DocumentsSection(
        page.shown(page.typical_rows(), LONG, removal=True),
        page.shown(wrong[:WORST].tolist(), LONG, removal=True),
        page.shown(wrong[:MOST_MISTAKES].tolist(), SHORT, room=ROOM),
        len(wrong),
        on.labels,
        isinstance(model.model, LinearTextModel),
    )


class _Page:
    """Texts, explained and written as HTML."""

    def __init__(self, model: TextClassifier | NetworkClassifier, on: Measured) -> None:
        self.classifier, self.corpus, self.outcomes = model, on.corpus, on.evaluation.outcomes
        self.labels = on.labels
        self.sureness = self._sureness()

    def _sureness(self) -> NDArray[np.float64] | None:
        """How sure the model was of each text."""
        found: NDArray[np.float64] | None = self.outcomes.confidence
        return found if self.outcomes.probabilities is not None else None

    def typical_rows(self) -> list[int]:
        """For each of the largest classes, the text that was most surely given its own label."""
        outcomes = self.outcomes
        if outcomes.confidence is None:
            return []
        counts = np.bincount(outcomes.truth, minlength=len(outcomes.labels))
        rows = []
        for k in sorted(np.argsort(-counts, kind="stable")[:MOST_TYPICAL].tolist()):
            own = np.flatnonzero(outcomes.correct & (outcomes.truth == k))
            if len(own):
                rows.append(int(own[np.argmax(outcomes.confidence[own])]))
        return rows

    def shown(
        self, rows: Sequence[int], length: int, *, removal: bool = False, room: int = 10**9
    ) -> tuple[ShownText, ...]:
        texts = self.corpus.select(np.array(rows, dtype=np.int64)).texts.to_pylist() if rows else []
        found = []
        for row, content, explanation in zip(rows, texts, self._explained(texts, removal), strict=True):
            text = self.text(row, content, explanation, length, removal)
            room -= len(text.colours.encode()) + 500
            if room < 0:
                break
            found.append(text)
        return tuple(found)

    def _explained(self, texts: Sequence[str], thoroughly: bool) -> Sequence[Explanation | Occlusion | None]:
        """Why each text got its label; of a network, whose words are left out one by one, only where asked."""
        model = self.classifier.model
        if isinstance(model, LinearTextModel):
            return explain_texts(model, texts)
        if not thoroughly or not model.decision.has_probabilities:
            return [None] * len(texts)
        return [occlude(self.classifier, text[:LONG]) for text in texts]

    def text(
        self, row: int, text: str, explanation: Explanation | Occlusion | None, length: int, removal: bool
    ) -> ShownText:
        """One text, its words coloured by what they contribute to what was said of it."""
        labels = self.outcomes.labels
        truth, said = str(labels[self.outcomes.truth[row]]), str(labels[self.outcomes.predicted[row]])
        if explanation is None:
            pieces = [TextPiece(0, len(text), text, True, 0.0)]
        else:
            # A mistake is shown as what spoke for the wrong label and against the right one.
            against = truth if truth != said else explanation.ranking[1] if said == explanation.ranking[0] else None
            pieces = explanation.pieces(said, against, until=length)
        truth, said = self.labels[self.outcomes.truth[row]], self.labels[self.outcomes.predicted[row]]
        sure = None if self.sureness is None else float(self.sureness[row])
        return ShownText(
            row,
            _short_place(self.corpus.origin.place(row)),
            truth,
            said,
            sure,
            *_coloured(pieces, text, length),
            removal_sentence(explanation) if removal and explanation is not None else "",
            "",
            truth,
            said,
            sure,
        )


class _SetPage(_Page):
    """The same where texts have sets of labels: each text is shown by the one of which the model was most sure."""

    def _sureness(self) -> NDArray[np.float64] | None:
        """How sure the model was of each text's worst mistake: of what it gave wrongly, or of what it did not give."""
        table = self.outcomes.probabilities
        if table is None:
            return None
        texts, labels, outcome = self.outcomes.outcome_of_each
        sure = np.where(outcome == 1, table[texts, labels], 1 - table[texts, labels])
        found = np.zeros(self.outcomes.n_documents)
        np.maximum.at(found, texts[outcome > 0], sure[outcome > 0])
        return found

    def typical_rows(self) -> list[int]:
        """For each of the commonest labels, the text that was most surely and rightly given it."""
        table, counts = self.outcomes.table, self.outcomes.counts
        if table is None:
            return []
        texts, labels, outcome = self.outcomes.outcome_of_each
        found: dict[str, int] = {}  # each text once: it may be the surest of several labels, and stand there twice
        for k in sorted(np.argsort(-counts.documents, kind="stable")[:MOST_TYPICAL].tolist()):
            own = texts[(labels == k) & (outcome == 0) & self.outcomes.correct[texts]]
            for row in own[np.argsort(-table[own, k], kind="stable")].tolist():
                if (text := self.corpus[row].text) not in found:
                    found[text] = row
                    break
        return list(found.values())

    def text(
        self, row: int, text: str, explanation: Explanation | Occlusion | None, length: int, removal: bool
    ) -> ShownText:
        """One text, its words coloured by one label: the worst mistake, or what was most surely right."""
        true, given = set(self.outcomes.truth[row].tolist()), set(self.outcomes.predicted[row].tolist())
        table = self.outcomes.table
        about = self._most_sure(row, true, given)
        pieces = [TextPiece(0, len(text), text, True, 0.0)]
        if explanation is not None and about is not None:
            pieces = explanation.pieces(str(self.outcomes.labels[about]), until=length)
        asked = None if about is None else str(self.outcomes.labels[about])
        return ShownText(
            row,
            _short_place(self.corpus.origin.place(row)),
            self._named(true),
            self._named(given),
            None if table is None or about is None else float(table[row, about]),
            *_coloured(pieces, text, length),
            removal_sentence(explanation, asked) if removal and explanation is not None else "",
            "" if about is None else self.labels[about],
            "\n".join(self.labels[k] for k in sorted(true - given)),
            "\n".join(self.labels[k] for k in sorted(given - true)),
            None if self.sureness is None else float(self.sureness[row]),
        )

    def _most_sure(self, row: int, true: set[int], given: set[int]) -> int | None:
        """The label that was most surely wrong; of a text that is right, most surely given; None where it has none."""
        wrong = sorted(true ^ given)
        numbers = np.zeros(len(self.labels)) if self.outcomes.table is None else self.outcomes.table[row]
        if wrong:
            most = 0.0 if self.outcomes.probabilities is None else 1.0
            return max(wrong, key=lambda k: numbers[k] if k in given else most - numbers[k])
        return max(sorted(given), key=lambda k: numbers[k], default=None)

    def _named(self, classes: set[int]) -> str:
        return ", ".join(self.labels[k] for k in sorted(classes)) or "no label"


def _coloured(pieces: list[TextPiece], text: str, length: int) -> tuple[Markup, int]:
    """The beginning of a text as HTML, its words coloured, and how many characters come after it."""
    shown = _beginning(pieces, length)
    return Markup(coloured_html(shown)), max(0, len(text) - (shown[-1].end if shown else 0))  # escapes the text


def _short_place(place: str) -> str:
    """File and row, without the folders of the machine that the model was trained on."""
    return place.replace("\\", "/").rpartition("/")[2]


def _beginning(pieces: list[TextPiece], length: int) -> list[TextPiece]:
    """Pieces up to a number of characters; a piece that is longer than all that is cut."""
    kept = [piece for piece in pieces if piece.end <= length]
    if not kept and pieces:
        first = pieces[0]
        return [TextPiece(first.start, length, first.text[:length], first.is_word, first.contribution)]
    return kept
