"""What is counted, and how Prometheus reads it.

The names and their meaning stand in the guide to serving; what is counted here is summed over all workers, and
what all of them see is counted once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from assay.server.answers import Answer
from assay.server.process.shared_counts import Series, SharedCounts

if TYPE_CHECKING:
    from assay.server.served_model import ServedModel

__all__ = ["Metrics"]

#: Upper ends of the classes of durations, in seconds.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_LE = (*(f"{bound:g}" for bound in BOUNDS), "+Inf")

#: Labels of one model that are counted one by one.
MOST_LABELS = 500
OTHERS = "(others)"
ABSTAINED = "(none)"

_FAMILIES = {
    "requests": ("assay_requests_total", "counter", "Requests answered.", ("route", "status")),
    "seconds": ("assay_request_seconds", "histogram", "Time from a request to its answer.", ("route", "le")),
    "texts": ("assay_texts_total", "counter", "Texts answered.", ("model",)),
    "labels": ("assay_labels_total", "counter", "Labels given; (none) where a model abstained.", ("model", "label")),
    "batches": ("assay_batches_total", "counter", "Calls of a model, each for all texts that waited.", ("model",)),
    "reloads": (
        "assay_reloads_total",
        "counter",
        "Model files that were replaced, by what came of it.",
        ("model", "result"),
    ),
    "restarts": ("assay_worker_restarts_total", "counter", "Workers that ended by themselves and were replaced.", ()),
    "queue": ("assay_queue_texts", "gauge", "Texts that wait for a model.", ()),
    "running": ("assay_requests_in_progress", "gauge", "Requests that have no answer yet.", ()),
    "connections": ("assay_connections", "gauge", "Open connections.", ()),
    "model": ("assay_model_info", "gauge", "Workers that serve this model file.", ("model", "sha256")),
}

#: What every worker sees, and counts, for itself: it happened as often as one of them says.
_SEEN_BY_ALL = ("reloads",)


class Metrics:
    """Counts what the server does.

    Parameters
    ----------
    counts
        Where; shared with the other workers.
    """

    def __init__(self, counts: SharedCounts | None = None) -> None:
        self.counts = counts or SharedCounts()
        self._labels: dict[str, set[str]] = defaultdict(set)

    def request(self, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        add = self.counts.add
        add(("requests", route, str(status)))
        add(("seconds", route, _LE[bisect_left(BOUNDS, seconds)]))
        add(("seconds", route, "sum"), seconds)

    def answers(self, model: str, answers: Sequence[Answer]) -> None:
        """A model was asked once and gave these answers."""
        self.call(model, len(answers))
        for answer in answers:
            said = answer.prediction
            for label in said if isinstance(said, list) else (said,):
                self.label(model, ABSTAINED if label is None else label)

    def call(self, model: str, texts: int) -> None:
        """A model was asked once about so many texts."""
        self.counts.add(("batches", model))
        self.counts.add(("texts", model), texts)

    def label(self, model: str, label: str, n: int = 1) -> None:
        """A label was given to some texts."""
        known = self._labels[model]
        if label not in known:
            if len(known) >= MOST_LABELS:
                label = OTHERS
            else:
                known.add(label)
        self.counts.add(("labels", model, label), n)

    def serve(self, model: ServedModel, before: ServedModel | None = None) -> None:
        """The worker serves a model, in the place of another one."""
        if before is not None:
            self.counts.put(("model", before.name, before.digest), 0)
        self.counts.put(("model", model.name, model.digest), 1)

    def begin_worker(self) -> None:
        """Take over the row of a worker that may have ended: what goes up and down begins again at nothing."""
        for series, _ in self.counts.sums():
            if _FAMILIES[series[0]][1] == "gauge":
                self.counts.put(series, 0)

    def text(self) -> str:
        """In the format of Prometheus."""
        found: dict[str, list[tuple[Series, float]]] = defaultdict(list)
        for series, value in self.counts.sums():
            if series[0] not in _SEEN_BY_ALL:
                found[series[0]].append((series[1:], value))
        for family in _SEEN_BY_ALL:
            found[family] = [(series[1:], value) for series, value in self.counts.largest(family)]
        lines: list[str] = []
        for family, (name, kind, meaning, labels) in _FAMILIES.items():
            rows = found.get(family, [] if labels else [((), 0.0)])
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
            if kind == "histogram":
                lines += _histogram(name, rows)
            else:
                rows = [row for row in rows if family != "model" or row[1]]
                lines += [f"{name}{_labels(labels, values)} {_number(value)}" for values, value in rows]
        return "\n".join(lines) + "\n"


def _histogram(name: str, rows: list[tuple[Series, float]]) -> list[str]:
    """Classes that include those below, the count and the sum, for each route."""
    by_route: dict[str, dict[str, float]] = defaultdict(dict)
    for (route, le), value in rows:
        by_route[route][le] = value
    lines: list[str] = []
    for route, values in by_route.items():
        total = 0.0
        for le in _LE:
            total += values.get(le, 0.0)
            lines.append(f"{name}_bucket{_labels(('route', 'le'), (route, le))} {_number(total)}")
        lines.append(f"{name}_sum{_labels(('route',), (route,))} {values.get('sum', 0.0):.6f}")
        lines.append(f"{name}_count{_labels(('route',), (route,))} {_number(total)}")
    return lines


def _labels(names: Iterable[str], values: Iterable[str]) -> str:
    pairs = [f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=True)]
    return f"{{{','.join(pairs)}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
