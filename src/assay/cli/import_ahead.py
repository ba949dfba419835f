"""Modules that a command needs later, imported while native code reads its file."""

from __future__ import annotations

import threading
from contextlib import suppress
from importlib import import_module

__all__ = ["import_ahead"]


def import_ahead(*modules: str) -> threading.Thread:
    """Import modules in another thread, in this order; whoever imports one of them meanwhile waits for it.

    What goes wrong here goes wrong again, and is said, where the module is needed.

    Examples
    --------
    >>> import sys
    >>> import_ahead("assay.no_such_module", "assay.suggest").join()
    >>> "assay.suggest" in sys.modules
    True
    """

    def work() -> None:
        for module in modules:
            with suppress(Exception):
                import_module(module)

    thread = threading.Thread(target=work, name="imports", daemon=True)
    thread.start()
    return thread
