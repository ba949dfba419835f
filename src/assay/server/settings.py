"""The settings of a server."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.errors import DataError, ParameterError

__all__ = ["ServerSettings", "is_wildcard", "option", "read_token"]

_FEWEST = 16  # characters of a token


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server listens, whom it lets in, and how much it takes.

    Parameters
    ----------
    host, port
        Where to listen; the port 0 is any that is free.
    uds
        Listen on this socket file instead.
    workers
        Processes that answer.
    grace
        Seconds that requests are given to end in when the server is to stop.
    allowed_hosts
        Names that a Host header may have, beside those of this machine's own loopback and of `host`.
    cors
        Origins whose pages may ask from a browser, such as ``https://tool.example``.
    token
        What ``Authorization: Bearer`` must say; None lets everybody in.
    root_path
        The path under which a proxy shows the server.
    body_limit, bulk_limit
        Bytes of a body of JSON, and of one of rows.
    time_limit
        Seconds until an answer of JSON is given up.
    stall_limit
        Seconds that a client may take for the next part of what it sends or reads.
    queue
        Texts that may wait; more are refused.
    access_log
        Write a line of JSON for each request.
    reload_every
        Seconds between two looks at the files of the models; 0 never looks.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    uds: str | None = None
    workers: int = 1
    grace: float = 10.0
    allowed_hosts: tuple[str, ...] = ()
    cors: tuple[str, ...] = ()
    token: str | None = None
    root_path: str = ""
    body_limit: int = 8 << 20
    bulk_limit: int = 4 << 30
    time_limit: float = 30.0
    stall_limit: float = 20.0
    queue: int = 10_000
    access_log: bool = True
    reload_every: float = 1.0

    @property
    def is_nameless(self) -> bool:
        """Whether it listens at every address of the machine, and knows no name but those of loopback."""
        return self.uds is None and is_wildcard(self.host) and not self.allowed_hosts

    def __post_init__(self) -> None:
        if self.root_path and not re.fullmatch(r"(/[\w.~-]+)+", self.root_path, re.ASCII):
            raise _wrong("root-path", "a path such as /assay, with no slash at its end", self.root_path)
        for origin in self.cors:
            if not re.fullmatch(r"https?://[^/\s*]+/?", origin):
                raise _wrong("cors", "an origin such as https://tool.example", origin)
        for name in self.allowed_hosts:
            if name != "*" and not re.fullmatch(r"[\w.-]+|\[?[0-9a-fA-F:.]+\]?", name, re.ASCII):
                raise _wrong("allow-host", "a name without a port, such as models.example", name)


def is_wildcard(host: str) -> bool:
    """Whether listening there is listening on every address of the machine."""
    return host in ("", "0.0.0.0", "::", "[::]")


def option(name: str) -> str:
    """How a setting is spelled: only the command line starts servers."""
    return f"--{name}"


def _wrong(name: str, expected: str, given: str) -> ParameterError:
    return ParameterError(f"{option(name)} must be {expected}. Got {given!r} instead.")


def read_token(path: str) -> str:
    """The token in a file: one line, long enough that nobody guesses it."""
    from assay.file_access import read_short_text

    try:
        token = read_short_text(path).strip()
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(f"{path}: no such file. Make it with: openssl rand -hex 32 > {path}") from None
    except UnicodeDecodeError:
        token = ""
    if not re.fullmatch(rf"[!-~]{{{_FEWEST},}}", token):
        raise DataError(
            f"{path}: a token is one line of {_FEWEST} or more letters, digits and signs. Make one with: "
            f"openssl rand -hex 32 > {path}"
        )
    return token
