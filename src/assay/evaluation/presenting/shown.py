"""What a result has to be shown by: a page of a heading, tables and notes, as text and in notebooks."""

from __future__ import annotations

from assay.tables import WIDTH, Table, page_html, page_text

__all__ = ["Shown"]


class Shown:
    """A result that is shown as a page."""

    def page(self) -> tuple[str, list[Table], tuple[str, ...]]:
        """Heading, tables and notes."""
        raise NotImplementedError

    def text(self, width: int = WIDTH) -> str:
        """Everything, as tables of at most `width` columns."""
        return page_text(*self.page(), width=width)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return page_html(*self.page())
