"""Files that are whole or not there."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile

__all__ = ["write_whole"]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside its place, then rename it."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(content)
            file.close()
            temporary.chmod(0o644)  # a temporary file is its owner's only
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
