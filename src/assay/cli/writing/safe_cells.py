"""``--safe-cells`` where a command writes a table beside its result."""

from __future__ import annotations

from pathlib import Path

__all__ = ["check_safe_cells"]


def check_safe_cells(safe_cells: bool, output: Path | None, option: str) -> None:
    """Complain, before anything slow, where there is no table to make safe: no file, or one without cells."""
    from assay.errors import ParameterError
    from assay.streaming.outputs import choose_format
    from assay.streaming.safe_cells import require_cells

    if not safe_cells:
        return
    if output is None:
        raise ParameterError(f"--safe-cells is for the table that {option} writes. Name its file, or leave it out.")
    require_cells(choose_format(output, None, "csv"))
