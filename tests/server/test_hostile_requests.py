"""Requests of those who mean no good, or do not know better, through a real socket."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOOD = b'{"texts": ["loved it"]}'
HEAD = b"Host: localhost\r\nConnection: close\r\n"
TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any], model_file: Callable[..., Path], tmp_path_factory: Any) -> Any:
    path = model_file(tmp_path_factory.mktemp("model") / "reviews.assay")
    return serve(path, "--allow-host", "models.example", "--cors", "https://tool.example", "--body-limit", "0.1")


@pytest.fixture(scope="module")
def guarded(serve: Callable[..., Any], model_file: Callable[..., Path], tmp_path_factory: Any) -> Any:
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "token").write_text(TOKEN + "\n")
    return serve(model_file(folder / "reviews.assay"), "--token-file", folder / "token")


def post(headers: bytes = HEAD, body: bytes = GOOD, path: bytes = b"/predict") -> bytes:
    kind = b"" if b"content-type" in headers.lower() else b"Content-Type: application/json\r\n"
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST " + path + b" HTTP/1.1\r\n" + headers + kind + length + b"\r\n" + body


# -- who asks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("path", ["/predict", "/models", "/"])
def test_a_name_that_was_pointed_here_is_refused_whatever_the_method(server: Any, method: str, path: str) -> None:
    found = server.ask(method, path, GOOD, Host="rebound.example:8000", Content_Type="application/json")
    assert found.status == 403
    if method != "HEAD":
        assert found.error["what"] == "This server does not answer to the name 'rebound.example'."
        assert found.error["where"] == "header 'Host'"


@pytest.mark.parametrize(
    "host",
    [
        "",
        "localhost.evil.example",
        "evil.example#localhost",
        "localhost@evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80:80",
        "[::1",
        "[::1]evil",
        "localhost:8000x",
        "0.0.0.0",
        "0x7f.1",
        "localhost.",
    ],
)
def test_hosts_that_look_like_this_one_are_refused(server: Any, host: str) -> None:
    found = server.raw(post(b"Host: %b\r\nConnection: close\r\n" % host.encode()))
    assert found.status in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000", "models.example:443"])
def test_own_names_are_answered_with_and_without_a_port(server: Any, host: str) -> None:
    assert server.raw(post(b"Host: %b\r\nConnection: close\r\n" % host.encode())).status == 200


def test_a_request_without_a_host_or_with_two_is_refused(server: Any) -> None:
    assert server.raw(post(b"Connection: close\r\n")).status == 400
    two = server.raw(post(b"Host: localhost\r\nHost: localhost\r\nConnection: close\r\n"))
    assert two.status == 400


@pytest.mark.parametrize(
    "header",
    [
        b"Origin: https://evil.example",
        b"Origin: null",
        b"Origin: http://localhost:1",
        b"Origin: https://tool.example.evil.example",
        b"Origin: file://localhost",
        b"Sec-Fetch-Site: cross-site",
        b"Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors",
        b"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate",
    ],
)
def test_pages_of_other_origins_are_refused(server: Any, header: bytes) -> None:
    found = server.raw(post(HEAD + header + b"\r\n"))
    assert found.status == 403
    assert found.error["where"] in ("header 'Origin'", "header 'Sec-Fetch-Site'")
    assert "access-control-allow-origin" not in found.headers


def test_own_pages_and_those_that_were_asked_for_are_answered(server: Any) -> None:
    own = server.raw(post(HEAD + b"Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n"))
    assert own.status == 200
    assert "access-control-allow-origin" not in own.headers
    other = server.raw(post(HEAD + b"Origin: https://tool.example\r\nSec-Fetch-Site: cross-site\r\n"))
    assert other.status == 200
    assert other.headers["access-control-allow-origin"] == "https://tool.example"


def test_a_browser_asks_first_and_is_told_who_may(server: Any) -> None:
    asked = {"Access_Control_Request_Method": "POST"}
    allowed = server.ask("OPTIONS", "/predict", Origin="https://tool.example", **asked)
    assert allowed.status == 204
    assert allowed.headers["access-control-allow-origin"] == "https://tool.example"
    assert server.ask("OPTIONS", "/predict", Origin="https://evil.example", **asked).status == 403


@pytest.mark.parametrize(
    "given",
    [None, "Bearer", "Bearer ", "Bearer wrong", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN],
)
def test_without_the_token_nothing_is_told(guarded: Any, given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given}
    for method, path in (("POST", "/predict"), ("GET", "/models"), ("GET", "/metrics"), ("GET", "/nothing")):
        found = guarded.ask(method, path, GOOD, Content_Type="application/json", **headers)
        assert found.status == 401
        assert found.headers["www-authenticate"] == "Bearer"
        assert found.error["where"] == "header 'Authorization'"


def test_with_the_token_all_is_answered(guarded: Any) -> None:
    found = guarded.ask("POST", "/predict", {"texts": ["loved it"]}, Authorization=f"Bearer {TOKEN}")
    assert found.json["answers"][0]["prediction"] == "good"


def test_probes_need_neither_host_nor_token(guarded: Any) -> None:
    assert guarded.ask("GET", "/health/live", Host="10.0.0.7:8000").status == 200
    assert guarded.ask("GET", "/health/ready", Host="10.0.0.7:8000").status == 200


# -- what is asked -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "what", "where"),
    [
        (b"", 400, "The body is empty.", "body"),
        (b"{", 400, "no valid JSON", "body"),
        (b'{"texts": ["a"]} x', 400, "no valid JSON", "body"),
        (b"[]", 400, "The body is a list, and must be an object.", "body"),
        (b"null", 400, "The body is null, and must be an object.", "body"),
        (b"{}", 422, "The field 'texts' is missing.", "body"),
        (b'{"texts": []}', 422, "The list of texts is empty.", "field 'texts'"),
        (b'{"texts": "a"}', 422, "This must be a list of texts. Got 'a' instead.", "field 'texts'"),
        (b'{"texts": ["a", 1]}', 422, "This must be a text. Got 1 instead.", "field 'texts', text 2"),
        (b'{"texts": [["a"]]}', 422, "This must be a text. Got a list instead.", "field 'texts', text 1"),
        (b'{"texts": ["a"], "probe": true}', 422, "There is no field 'probe'.", "body"),
        (b'{"texts": ["a"], "proba": 1}', 422, "This must be true or false. Got 1 instead.", "field 'proba'"),
        (b'{"texts": ["a"], "top": 0}', 422, "top must be 1 or more. Got 0 instead.", "field 'top'"),
        (b'{"texts": ["a"], "top": 1e400}', 400, "no valid JSON", "body"),
        (b'{"texts": ["a"], "threshold": 2}', 422, "threshold must be a probability", "field 'threshold'"),
        (b'{"texts": ["a"], "model": "revews"}', 404, "There is no model 'revews'.", "field 'model'"),
        (b'{"texts": ["a\\u0000b"]}', 422, "has a NUL character at 2", "field 'texts', text 1"),
        (b'{"texts": ["a\x00b"]}', 400, "no valid JSON", "body"),
        (b'{"texts": ["\\ud83d"]}', 400, "half of a character", "body"),
        (b'{"texts": ["\\ude00 x"]}', 400, "half of a character", "body"),
        (b'{"texts": ["caf\xe9"]}', 400, "The body is not UTF-8: byte 16 is 0xe9.", "body"),
        (b'{"texts": ["\xed\xa0\x80"]}', 400, "The body is not UTF-8", "body"),
        (b"\xff\xfe{\x00}\x00", 400, "The body is not UTF-8", "body"),
        (b"[" * 50_000, 400, "nested too deep", "body"),
        (b'{"a":' * 15_000 + b"1" + b"}" * 15_000, 400, "nested too deep", "body"),
        (b'{"texts": ["a"], "x": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", 400, "nested too deep", "body"),
    ],
)
def test_bodies_that_make_no_sense_are_refused(server: Any, body: bytes, status: int, what: str, where: str) -> None:
    found = server.raw(post(body=body))
    assert found.status == status
    assert what in found.error["what"]
    assert found.error["where"] == where


def test_an_unknown_field_names_the_nearest_first(server: Any) -> None:
    found = server.raw(post(body=b'{"text": ["a"]}'))
    assert found.error["way_out"].startswith("Fields are 'texts', ")


@pytest.mark.parametrize(
    "kind",
    [b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x", b"application/xml", b""],
)
def test_other_types_of_bodies_are_refused(server: Any, kind: bytes) -> None:
    found = server.raw(post(HEAD + b"Content-Type: " + kind + b"\r\n"))
    assert found.status == 415
    assert "'application/json'" in found.error["way_out"]


@pytest.mark.parametrize("body", [GOOD, b"\x1f\x8b\x08\x00"])
def test_a_body_that_is_said_to_be_packed_is_refused_whatever_it_is(server: Any, body: bytes) -> None:
    for kind in (b"application/json", b"text/csv"):
        found = server.raw(post(HEAD + b"Content-Type: " + kind + b"\r\nContent-Encoding: gzip\r\n", body))
        assert found.status == 415
        assert found.error["what"] == "The body is compressed ('gzip')."


def test_bodies_that_are_too_large_are_refused(server: Any) -> None:
    found = server.raw(post(body=json.dumps({"texts": ["x" * 10_000_000]}).encode()))
    assert found.status == 413
    assert "takes 100,000 at most" in found.error["what"]
    declared = (
        b"POST /predict HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{"
    )
    assert server.raw(declared).status == 413
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    chunked = HEAD + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 40 + b"0\r\n\r\n"
    assert server.raw(b"POST /predict HTTP/1.1\r\n" + chunked).status == 413


def test_chunked_bodies_are_read(server: Any) -> None:
    chunked = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"%x\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (5, GOOD[:5], len(GOOD) - 5, GOOD[5:])
    found = server.raw(b"POST /predict HTTP/1.1\r\n" + HEAD + chunked + body)
    assert found.status == 200


# -- HTTP itself -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),  # TLS
        (b"GET / HTTP/9.9\r\n" + HEAD + b"\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"G\x00T / HTTP/1.1\r\n" + HEAD + b"\r\n", 400),
        (post(HEAD + b"Content-Length: 1\r\n"), 400),
        (post(HEAD + b"Transfer-Encoding: chunked\r\n"), 400),
        (post(HEAD + b"Transfer-Encoding: identity, chunked\r\n"), 400),
        (b"POST /predict HTTP/1.1\r\n" + HEAD + b"Content-Length: -1\r\n\r\n", 400),
        (b"POST /predict HTTP/1.1\r\n" + HEAD + b"Content-Length: 1e1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + HEAD + b"X-Many: 1\r\n" * 200 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + HEAD + b"X-Long: " + b"x" * 60_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n" + HEAD + b"\r\n", 414),
    ],
)
def test_what_is_no_decent_http_is_refused(server: Any, request_: bytes, status: int) -> None:
    found = server.raw(request_)
    assert found.status == status
    assert found.error["what"]


def test_headers_without_end_are_not_kept(server: Any) -> None:
    found = server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Flood: 1\r\n" * 500_000)
    assert found.status in (0, 431)  # 0: it was closed while more came, and the answer was lost on the way
    assert server.predict("loved it")["answers"][0]["prediction"] == "good"


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/models/..%2f..%2fetc%2fpasswd", "/models/%00", "/models/%ff"],
)
def test_there_is_no_way_out_of_the_paths(server: Any, path: str) -> None:
    found = server.raw(b"GET " + path.encode() + b" HTTP/1.1\r\n" + HEAD + b"\r\n")
    assert found.status == 404
    assert b"root:" not in found.body


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_are_refused_and_the_right_one_is_named(server: Any, method: str) -> None:
    found = server.ask(method, "/predict")
    assert found.status == 405
    assert "POST" in found.headers["allow"]
    assert "POST" in found.error["way_out"]


@pytest.mark.parametrize("ranges", ["bytes=0-3", "bytes=-1", "bytes=5-1", "bytes=" + "0-," * 500 + "0-"])
def test_parts_of_an_answer_are_not_given(server: Any, ranges: str) -> None:
    found = server.ask("GET", "/models", Range=ranges)
    assert found.status == 200
    assert "content-range" not in found.headers
    assert found.json["models"][0]["name"] == "reviews"


def test_requests_that_come_together_are_answered_in_order(server: Any) -> None:
    bodies = [b'{"texts": ["loved it"]}', b"{", b'{"texts": ["so dull"]}']
    keep = b"Host: localhost\r\n"
    asked = b"".join(post(keep, body) for body in bodies) + b"GET /models HTTP/1.1\r\n" + HEAD + b"\r\n"
    with server.connect() as connection:
        connection.sendall(asked)
        content = b""
        while block := connection.recv(1 << 16):
            content += block
    order = [content.index(part) for part in (b'"good"', b"no valid JSON", b'"prediction":"bad"', b'"models":[')]
    assert order == sorted(order)
    assert content.count(b"HTTP/1.1 200 OK") == 3


def test_a_switch_to_another_protocol_is_not_made(server: Any) -> None:
    upgrade = HEAD.replace(b"close", b"Upgrade") + b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    with server.connect() as connection:
        connection.sendall(
            b"GET /models HTTP/1.1\r\n" + upgrade + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert connection.recv(1 << 16).startswith((b"HTTP/1.1 200", b"HTTP/1.1 4"))


def test_a_request_id_goes_back_only_if_it_is_one(server: Any) -> None:
    assert server.ask("GET", "/models", X_Request_Id="order-7.a").headers["x-request-id"] == "order-7.a"
    for bad in ('"><script>', "x" * 65, "a b"):
        given = server.ask("POST", "/predict", {"texts": ["loved it"]}, X_Request_Id=bad).headers["x-request-id"]
        assert given != bad


def test_every_answer_tells_browsers_to_run_nothing(server: Any) -> None:
    for path in ("/models", "/nothing", "/models/none"):
        headers = server.ask("GET", path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_no_answer_names_a_folder_of_the_machine(server: Any, guarded: Any) -> None:
    answers = [server.ask("GET", path) for path in ("/models", "/models/reviews", "/metrics", "/x")]
    answers.append(server.ask("POST", "/predict", "text\n", Content_Type="text/csv"))
    for found in answers:
        assert b"/tmp" not in found.body
        assert b"site-packages" not in found.body
        assert str(Path.home()).encode() not in found.body


# -- what one connection may do ----------------------------------------------------------------------------------------


def test_what_is_refused_waits_for_the_answers_before_it(server: Any) -> None:
    found = server.raw(post(b"Host: localhost\r\n") * 3 + b"BAD\r\n\r\n")
    assert found.status == 200
    assert found.body.count(b'"prediction":"good"') == 3
    assert found.body.index(b" 400 Bad Request") > found.body.rindex(b'"prediction"')


def test_headers_after_a_body_are_none_of_the_request(server: Any) -> None:
    head = b"POST /predict HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
    body = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n" % (len(GOOD), GOOD)
    assert server.raw(head + body + b"Host: localhost\r\n\r\n").status == 400
    assert server.raw(head + b"Host: localhost\r\n" + body + b"Host: evil.example\r\n\r\n").status == 200


@pytest.mark.parametrize("name", [b"Origin", b"Authorization", b"Sec-Fetch-Site"])
def test_headers_that_decide_are_given_once(server: Any, name: bytes) -> None:
    twice = name + b": http://evil.example\r\n" + name + b": http://localhost\r\n"
    found = server.raw(post(HEAD + twice))
    assert (found.status, found.error["where"]) == (400, f"header '{name.decode()}'")


@pytest.mark.parametrize("kind", [b"application/json", b"text/csv"])
def test_compressed_bodies_are_refused_whatever_their_type(server: Any, kind: bytes) -> None:
    assert server.raw(post(HEAD + b"Content-Encoding: gzip\r\nContent-Type: " + kind + b"\r\n")).status == 415


@pytest.mark.parametrize("begun", [b"X: ", b"X", b"Transfer-Encoding: chunked\r\n\r\n1;"])
def test_one_header_without_end_is_not_kept(server: Any, begun: bytes) -> None:
    refused = server.metrics().get('assay_requests_total{route="(refused)",status="431"}', 0)
    server.raw(b"POST /predict HTTP/1.1\r\nContent-Type: application/json\r\n" + HEAD + begun + b"x" * (4 << 20))
    assert server.metrics()['assay_requests_total{route="(refused)",status="431"}'] == refused + 1


def test_clients_that_leave_are_forgotten(server: Any, eventually: Any) -> None:
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(post(b"Host: localhost\r\n") * 5 + b"GET /models HTTP/1.1\r\nHost: localhost\r\n\r\n")
    eventually(lambda: server.metrics()["assay_requests_in_progress"] == 1)  # which asks


def test_more_requests_than_are_kept_are_refused(server: Any) -> None:
    found = server.raw(post(b"Host: localhost\r\n") * 600)
    assert b"HTTP/1.1 429" in found.body


def test_tables_without_end_are_refused(server: Any) -> None:
    many = json.dumps({"texts": [""] * 20_000, "proba": True})
    assert server.ask("POST", "/predict", many, Content_Type="application/json").status == 200
    from assay.server.answers import MOST_CELLS, check_cells
    from assay.server.errors import ApiError

    check_cells(MOST_CELLS // 2, 2, "here", "less")
    with pytest.raises(ApiError, match="2,000,002 numbers"):
        check_cells(MOST_CELLS // 2 + 1, 2, "here", "less")


# -- Arrow streams that lie --------------------------------------------------------------------------------------------


def arrow_stream(compression: str | None = None) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    table = pa.table({"text": ["loved it"] * 20, "kind": pa.array(["a", "b"] * 10).dictionary_encode()})
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


ARROW = HEAD + b"Content-Type: application/vnd.apache.arrow.stream\r\n"


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_packed_streams_are_refused(server: Any, compression: str) -> None:
    found = server.raw(post(ARROW, arrow_stream(compression)))
    assert (found.status, found.error["what"]) == (415, "The buffers of the Arrow stream are compressed.")


def test_places_of_texts_that_are_not_there_are_refused(server: Any) -> None:
    good = arrow_stream()
    assert server.raw(post(ARROW, good)).status == 200
    ends = b"".join((8 * n).to_bytes(4, "little") for n in range(21))
    assert good.count(ends) == 1
    for last in (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff"):
        lying = good.replace(ends, ends[:40] + last + ends[44:])
        assert server.raw(post(ARROW, lying)).status == 422
    assert server.raw(post(ARROW, good[: len(good) // 2])).status == 422


def test_after_all_that_it_answers_as_before(server: Any) -> None:
    assert server.predict("loved it", "so dull")["answers"][1]["prediction"] == "bad"
    assert server.process.poll() is None
