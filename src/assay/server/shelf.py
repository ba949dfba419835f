"""The models of a server, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.server.errors import unknown_model
from assay.server.served_model import ServedModel

__all__ = ["ModelShelf"]


class ModelShelf:
    """The models that are served; a model that is put there under a name takes the place of the one before.

    Parameters
    ----------
    models
        The first one answers where a request names none, if it is the only one.
    """

    def __init__(self, models: Iterable[ServedModel] = ()) -> None:
        self._models = {model.name: model for model in models}

    @property
    def names(self) -> list[str]:
        """In the order in which they were given."""
        return list(self._models)

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(list(self._models.values()))

    def get(self, name: str, where: str = "path") -> ServedModel:
        """The model of that name; else an `ApiError` 404 that names those that there are, nearest first."""
        found = self._models.get(name)
        if found is None:
            raise unknown_model(name, self.names, where)
        return found

    def put(self, model: ServedModel) -> None:
        """Serve a model from the next request on."""
        self._models[model.name] = model
