"""Bodies of requests: of a type that is taken."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request

from assay.server.errors import ApiError
from assay.suggest import quote, quoted

__all__ = ["json_body", "media_type", "refuse_compressed", "wrong_type"]

JSON = "application/json"


def media_type(request: Request) -> str:
    """The type of the body, without parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def refuse_compressed(request: Request) -> None:
    """Complain about a body that is compressed: how large it really is would be known too late."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        what = f"The body is compressed ({quote(encoding[:60])})."
        raise ApiError(415, what, "header 'Content-Encoding'", "Send it as it is.")


async def json_body(request: Request, others: Iterable[str] = ()) -> bytes:
    """The whole body, which must be JSON; `others` are types that the route takes besides."""
    kind = media_type(request)
    if kind != JSON:
        raise wrong_type(kind, [JSON, *others])
    refuse_compressed(request)
    return await request.body()


def wrong_type(kind: str, taken: Iterable[str]) -> ApiError:
    """The refusal of a type of body."""
    what = f"The body is of the type {quote(kind[:60])}." if kind else "The request does not say what its body is."
    return ApiError(415, what, "header 'Content-Type'", f"This path takes {quoted(taken)}.")
