"""Who sits at the keyboard."""

from __future__ import annotations

__all__ = ["person"]


def person(given: str | None) -> str:
    """The name that was given with ``--who``, else that of the user of this machine."""
    if given is not None:
        return given
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        from assay.errors import ParameterError

        raise ParameterError("The system does not say who you are. Say it with --who NAME.") from None
