"""The socket on which a server listens."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

from assay.errors import AssayError, ParameterError
from assay.server.gate import is_loopback
from assay.server.settings import ServerSettings, option

__all__ = ["address_of", "check_exposure", "listen"]

_BACKLOG = 2048


class AddressError(AssayError):
    """Nothing can listen there."""


def check_exposure(settings: ServerSettings, *, insecure: bool) -> None:
    """Refuse to let other machines in where nobody has to show a token."""
    if settings.uds is None and settings.token is None and not insecure and not is_loopback(settings.host):
        raise ParameterError(
            f"{option('host')} {settings.host} lets other machines in, and anybody there could ask. Give "
            f"{option('token-file')} FILE, or {option('insecure')} if a proxy or a firewall keeps others out."
        )


def listen(settings: ServerSettings) -> socket.socket:
    """The socket, on which connections already wait."""
    if settings.uds is not None:
        return _listen_on_file(settings.uds)
    host = settings.host.strip("[]")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, protocol)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise AddressError(
            f"Nothing can listen at {settings.host}, port {settings.port}: {why}. Choose another with "
            f"{option('port')} or {option('host')}; {option('port')} 0 takes one that is free."
        ) from None
    return found


def _listen_on_file(name: str) -> socket.socket:
    """A socket file; one that a server left behind is replaced, and one that a server uses is not."""
    path = Path(name)
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if os.path.lexists(path):
            if not stat.S_ISSOCK(path.lstat().st_mode):
                raise AddressError(f"{name}: this is a file, and no socket. Choose another name with {option('uds')}.")
            if _is_answered(name):
                way_out = f"Stop it, or choose another name with {option('uds')}."
                raise AddressError(f"{name}: another server listens there. {way_out}")
            path.unlink()
        mask = os.umask(0o117)  # whoever may write to it may ask
        try:
            found.bind(name)
        finally:
            os.umask(mask)
        found.listen(_BACKLOG)
    except OSError as error:
        why = error.strerror or error
        raise AddressError(f"{name}: nothing can listen there: {why}. Choose another {option('uds')}.") from None
    return found


def _is_answered(name: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        try:
            asked.connect(name)
        except OSError:
            return False
        return True


def address_of(listening: socket.socket, settings: ServerSettings) -> str:
    """What a person types to get there."""
    if settings.uds is not None:
        return f"unix:{settings.uds}"
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{settings.root_path}"
