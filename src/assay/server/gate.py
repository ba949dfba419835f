"""Who is let in: looked at for every request, whatever its method, before anything of it is acted upon.

A page in a browser can send requests to servers that the browser's user can reach. Three things tell such a request:
the Host header, which names the page's own server where a name was pointed to this machine (DNS rebinding); Origin; and
Sec-Fetch-Site. A token tells whether the sender is one of those who were given it.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable

from assay.server.errors import ApiError
from assay.server.settings import ServerSettings, is_wildcard, option
from assay.suggest import nearest_first, quote, quoted

__all__ = ["PROBES", "Gate", "Headers", "is_loopback"]

Headers = Iterable[tuple[bytes, bytes]]
"""Names in lower case, and values."""

#: Asked by those who keep the server running; they tell nothing but that it runs.
PROBES = frozenset({"/health/live", "/health/ready", "/v2/health/live", "/v2/health/ready"})

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_MOST_KNOWN = 1000

#: Headers that decide, and how they are written; each may be there once.
_LOOKED_AT = {
    name.lower().encode(): name for name in ("Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Authorization")
}


class Gate:
    """Looks at the headers of requests.

    Parameters
    ----------
    settings
        Whom to let in.
    public
        Paths that need no token, beside the probes: pages that hold no data.

    Examples
    --------
    >>> gate = Gate(ServerSettings())
    >>> gate.refusal("GET", "/models", [(b"host", b"localhost:8000")]) is None
    True
    >>> gate.refusal("DELETE", "/models", [(b"host", b"rebound.example:8000")]).status
    403
    """

    def __init__(self, settings: ServerSettings, public: Iterable[str] = ()) -> None:
        own = () if is_wildcard(settings.host) else (settings.host.strip("[]").lower(),)
        self._added = tuple(name.strip("[]").lower() for name in settings.allowed_hosts)
        self._hosts = (*_LOOPBACK, *own, *self._added)
        self._cors = frozenset(origin.rstrip("/").encode() for origin in settings.cors)
        self._token = None if settings.token is None else settings.token.encode()
        self._public = frozenset(public)
        self._known: set[bytes] = set()  # Host headers that were good

    def refusal(self, method: str, path: str, headers: Headers) -> ApiError | None:
        """Why a request is not let in; None where it is."""
        if path in PROBES:
            return None
        found: dict[bytes, bytes] = {}
        for name, value in headers:
            if name in _LOOKED_AT:
                if name in found:  # of two, somebody between may have looked at the other one
                    title = _LOOKED_AT[name]
                    return ApiError(400, f"The request has two {title} headers.", f"header '{title}'", "Send one.")
                found[name] = value
        host, origin, site = found.get(b"host"), found.get(b"origin"), found.get(b"sec-fetch-site")
        if host not in self._known:
            refused = self._host(host)
            if refused is not None:
                return refused
        assert host is not None
        if origin is not None or site is not None:
            refused = self._page(method, host, origin, site, found.get(b"sec-fetch-mode"))
            if refused is not None:
                return refused
        if self._token is not None and path not in self._public and not (origin in self._cors and method == "OPTIONS"):
            return self._stranger(found.get(b"authorization"))
        return None

    def cors(self, headers: Headers) -> list[tuple[bytes, bytes]]:
        """Headers of an answer by which the browser lets a page of another origin see it, where that was asked for."""
        if not self._cors:
            return []
        origin = next((value for name, value in headers if name == b"origin"), None)
        vary = (b"vary", b"origin")
        if origin not in self._cors:
            return [vary]
        assert origin is not None
        return [
            vary,
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-methods", b"GET, POST"),
            (b"access-control-allow-headers", b"authorization, content-type, x-request-id"),
            (b"access-control-expose-headers", b"x-request-id, retry-after"),
            (b"access-control-max-age", b"600"),
        ]

    def _host(self, header: bytes | None) -> ApiError | None:
        if header is None:
            return ApiError(400, "The request has no Host header.", "header 'Host'", "Send one, as HTTP/1.1 asks.")
        name = _without_port(header.decode("latin-1").strip().lower())
        if name in self._hosts or "*" in self._added:
            if len(self._known) < _MOST_KNOWN:
                self._known.add(header)
            return None
        near = quoted(nearest_first(name, dict.fromkeys(self._hosts)))
        return ApiError(
            403,
            f"This server does not answer to the name {quote(name[:60])}.",
            "header 'Host'",
            f"It answers to {near}; '{_command('allow-host', 'NAME')}' adds another.",
        )

    def _page(
        self, method: str, host: bytes, origin: bytes | None, site: bytes | None, mode: bytes | None
    ) -> ApiError | None:
        """Refuse what a page of another origin sends."""
        if origin in self._cors:
            return None
        if origin is not None:
            if self._is_own(origin, host):
                return None
            what = f"A page of {quote(origin.decode('latin-1')[:60])} may not ask this server."
            return ApiError(403, what, "header 'Origin'", _of_pages())
        if site in (b"same-origin", b"none") or (mode == b"navigate" and method in ("GET", "HEAD")):
            return None
        what = "A page of another site may not ask this server."
        return ApiError(403, what, "header 'Sec-Fetch-Site'", _of_pages())

    def _is_own(self, origin: bytes, host: bytes) -> bool:
        """Whether a page came from here: from the host that it asks, or through a proxy under an added name."""
        scheme, _, place = origin.lower().partition(b"://")
        if scheme not in (b"http", b"https"):
            return False
        return place == host.strip().lower() or _without_port(place.decode("latin-1")) in self._added

    def _stranger(self, given: bytes | None) -> ApiError | None:
        assert self._token is not None
        if given is None:
            return _unauthorized("The request has no token.")
        scheme, _, token = given.partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            return _unauthorized("The token is not the one that the server was given.")
        return None


def _command(name: str, given: str) -> str:
    """What whoever runs the server would type."""
    return f"assay serve … {option(name)} {given}"


def _of_pages() -> str:
    return f"Ask without a browser; '{_command('cors', 'ORIGIN')}' lets the pages of an origin ask."


def _unauthorized(what: str) -> ApiError:
    way_out = f"Send 'Authorization: Bearer TOKEN' with the token of '{_command('token-file', 'FILE')}'."
    return ApiError(401, what, "header 'Authorization'", way_out, [(b"www-authenticate", b"Bearer")])


def _without_port(host: str) -> str:
    """The name of a Host header.

    Examples
    --------
    >>> _without_port("localhost:8000"), _without_port("[::1]:8000"), _without_port("a:1:2")
    ('localhost', '::1', 'a:1:2')
    """
    if host.startswith("["):
        name, closed, rest = host[1:].partition("]")
        return name if closed and (not rest or (rest[0] == ":" and _is_port(rest[1:]))) else host
    name, colon, port = host.partition(":")
    return name if not colon or _is_port(port) else host


def _is_port(written: str) -> bool:
    return written.isascii() and written.isdigit()


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect there.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
