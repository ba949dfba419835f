"""The models of a server, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.server.batching import Places
from assay.server.errors import ApiError, unknown_model
from assay.server.metrics import Metrics
from assay.server.served_model import ServedModel
from assay.suggest import quoted

__all__ = ["ModelShelf"]


class ModelShelf:
    """The models that are served; a model that is put there under a name takes the place of the one before.

    Parameters
    ----------
    models
        In the order in which they are listed.
    """

    def __init__(self, models: Iterable[ServedModel] = ()) -> None:
        self._models = {model.name: model for model in models}
        self._places, self._metrics = Places(), Metrics()

    @property
    def names(self) -> list[str]:
        """In the order in which they were given."""
        return list(self._models)

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(list(self._models.values()))

    def join(self, places: Places, metrics: Metrics) -> None:
        """Become the shelf of a server: its models share the queue, and what they do is counted."""
        self._places, self._metrics = places, metrics
        for model in self:
            model.join(places, metrics)
            metrics.serve(model)

    def get(self, name: str, where: str = "path") -> ServedModel:
        """The model of that name; else an `ApiError` 404 that names those that there are, nearest first."""
        found = self._models.get(name)
        if found is None:
            raise unknown_model(name, self.names, where)
        return found

    def find(self, name: str) -> ServedModel | None:
        """The model of that name, if there is one."""
        return self._models.get(name)

    def asked(self, name: str | None, where: str = "field 'model'") -> ServedModel:
        """The model that a request names, or the only one where it names none."""
        if name is not None:
            return self.get(name, where)
        if len(self._models) == 1:
            return next(iter(self._models.values()))
        raise ApiError(
            400,
            "The request does not say which model it asks.",
            where,
            f"Name one of {quoted(self.names)}.",
        )

    def put(self, model: ServedModel) -> None:
        """Serve a model from the next request on; those that wait are answered by the one before."""
        before = self._models.get(model.name)
        model.join(self._places, self._metrics)
        self._models[model.name] = model
        self._metrics.serve(model, before)
