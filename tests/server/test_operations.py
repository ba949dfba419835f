"""What operations people do to a server: replace models, kill workers, stop it, and watch."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOOD = b'{"texts": ["loved it"]}'
POST = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture
def reviews(model_file: Callable[..., Path], tmp_path: Path) -> Path:
    return model_file(tmp_path / "reviews.assay")


def workers_of(server: Any) -> list[int]:
    pid = server.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_replaced_model_answers_and_no_request_is_lost(
    serve: Callable[..., Any], reviews: Path, model_file: Callable[..., Path], tmp_path: Path, eventually: Any
) -> None:
    server = serve(reviews)
    files = [reviews, model_file(tmp_path / "second", ("fine", "poor")), model_file(tmp_path / "third", ("up", "down"))]
    best = {
        hashlib.sha256(file.read_bytes()).hexdigest(): label
        for file, label in zip(files, ("good", "fine", "up"), strict=True)
    }
    wrong, asked, over = [], [0], threading.Event()

    def keep_asking() -> None:
        while not over.is_set():
            found = server.predict("loved it", proba=False)
            asked[0] += 1
            if found["answers"] != [{"prediction": best[found["model"]["sha256"]]}]:
                wrong.append(found)

    clients = [threading.Thread(target=keep_asking) for _ in range(3)]
    for client in clients:
        client.start()
    try:
        for file, label in ((files[1], "fine"), (files[2], "up")):
            shutil.copy(file, tmp_path / "new")
            (tmp_path / "new").replace(reviews)
            eventually(lambda wanted=label: server.predict("loved it")["answers"][0]["prediction"] == wanted)
    finally:
        over.set()
        for client in clients:
            client.join()
    assert not wrong
    assert asked[0] > 2
    assert server.metrics()['assay_reloads_total{model="reviews",result="loaded"}'] == 2


def test_a_broken_file_is_refused_and_the_model_goes_on(
    serve: Callable[..., Any], reviews: Path, model_file: Callable[..., Path], tmp_path: Path, eventually: Any
) -> None:
    server = serve(reviews)
    before = server.predict("loved it")
    reviews.write_bytes(reviews.read_bytes()[:-100])  # in its place, under the feet of whoever has it mapped
    eventually(lambda: server.metrics().get('assay_reloads_total{model="reviews",result="refused"}'))
    assert server.predict("loved it") == before
    said = server.log_lines(1, event="log", level="warning")[0]["message"]
    assert said.startswith("the model reviews goes on as it was: the new file is refused: reviews.assay: ")
    assert str(tmp_path) not in said
    model_file(reviews, ("fine", "poor"))
    eventually(lambda: server.predict("loved it")["answers"][0]["prediction"] == "fine")


def test_a_model_that_is_put_into_the_folder_is_served_too(
    serve: Callable[..., Any], reviews: Path, model_file: Callable[..., Path], tmp_path: Path, eventually: Any
) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    shutil.copy(reviews, folder / "reviews.assay")
    (folder / "._reviews.assay").write_text("of a file manager")
    server = serve(folder, f"other={reviews}", "--workers", "2")
    (folder / "more.assay").write_text("no model")
    shutil.copy(reviews, folder / "other.assay")  # whose name is that of another file
    warnings = [line["message"] for line in server.log_lines(4, event="log", level="warning")]
    refused = "the model more is not served yet: the new file is refused: more.assay: "
    assert sum(said.startswith(refused) for said in warnings) == 2  # by each worker
    assert warnings.count("the new file other.assay is not served: its name is taken, or cannot be one") == 2
    assert [model["name"] for model in server.ask("GET", "/models").json["models"]] == ["reviews", "other"]
    model_file(tmp_path / "new", ("fine", "poor")).replace(folder / "more.assay")
    digest = hashlib.sha256((folder / "more.assay").read_bytes()).hexdigest()
    eventually(lambda: server.metrics().get(f'assay_model_info{{model="more",sha256="{digest}"}}') == 2)
    eventually(lambda: len(server.log_lines(2, event="log", level="info")) == 2)
    assert server.predict("loved it", model="more")["answers"][0]["prediction"] == "fine"
    counted = server.metrics()
    assert counted['assay_reloads_total{model="more",result="refused"}'] == 1  # though both workers saw it
    assert counted['assay_reloads_total{model="more",result="loaded"}'] == 1


def test_a_pipe_in_the_place_of_a_model_is_refused_and_not_waited_for(
    serve: Callable[..., Any], model_file: Callable[..., Path], tmp_path: Path, eventually: Any
) -> None:
    path = model_file(tmp_path / "piped.assay")
    server = serve(path)
    path.unlink()
    os.mkfifo(path)
    eventually(lambda: server.metrics().get('assay_reloads_total{model="piped",result="refused"}'))
    assert server.predict("loved it")["answers"][0]["prediction"] == "good"
    assert server.stop() == 0


def test_workers_count_together_and_are_replaced_when_they_are_killed(
    serve: Callable[..., Any], reviews: Path, eventually: Any
) -> None:
    server = serve(reviews, "--workers", "2")
    first = eventually(lambda: len(workers_of(server)) == 2 and workers_of(server))
    for _ in range(20):
        assert server.predict("loved it", "so dull")["answers"][0]["prediction"] == "good"
    assert server.metrics()['assay_texts_total{model="reviews"}'] == 40
    assert server.metrics()['assay_labels_total{model="reviews",label="bad"}'] == 20
    os.kill(first[0], signal.SIGKILL)
    eventually(lambda: len(workers_of(server)) == 2 and first[0] not in workers_of(server))
    for _ in range(20):
        assert server.predict("loved it", "so dull")["answers"][0]["prediction"] == "good"
    counted = server.metrics()
    assert counted['assay_texts_total{model="reviews"}'] == 80
    assert counted["assay_worker_restarts_total"] == 1
    assert server.stop() == 0
    assert not Path(f"/proc/{first[1]}").exists()


def test_what_has_begun_is_finished_before_the_server_stops(serve: Callable[..., Any], reviews: Path) -> None:
    server = serve(reviews)
    with server.connect() as connection:
        connection.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(GOOD) + GOOD[:5])
        server.predict("so dull")  # which is answered after the beginning of the other was read
        server.process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(0.5)
        connection.sendall(GOOD[5:])
        answer = connection.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"connection: close" in answer
    assert server.process.wait(30) == 0


def test_whoever_does_not_end_in_time_is_not_waited_for(serve: Callable[..., Any], reviews: Path) -> None:
    server = serve(reviews, "--grace", "1")
    with server.connect() as connection:
        connection.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(GOOD))
        server.predict("so dull")
        assert server.stop(signal.SIGINT) == 0


@pytest.mark.parametrize("begun", [b"", b"POST /predict", POST, POST + b"Content-Length: 9\r\n\r\n{"])
def test_slow_clients_are_not_waited_for(stalling: Any, begun: bytes) -> None:
    found = stalling.raw(begun)
    assert found.status == 408
    assert found.error["what"] == "The request was not all there after 0.5 seconds."


@pytest.fixture(scope="module")
def stalling(serve: Callable[..., Any], model_file: Callable[..., Path], tmp_path_factory: Any) -> Any:
    path = model_file(tmp_path_factory.mktemp("model") / "reviews.assay")
    return serve(path, "--stall-limit", "0.5", "--root-path", "/assay")


def test_below_a_proxy_paths_are_taken_with_and_without_its_own(stalling: Any) -> None:
    for path in ("/predict", "/assay/predict"):
        assert stalling.ask("POST", path, {"texts": ["loved it"]}).status == 200
    for path in ("/models", "/assay/models"):
        assert stalling.ask("GET", path).json["models"][0]["name"] == "reviews"
    assert stalling.ask("GET", "/assayer/models").status == 404
    found = stalling.ask("GET", "/assay")
    assert (found.status, found.headers["location"], found.body) == (308, "/assay/", b"")
    assert stalling.ask("GET", "/assay/").body == stalling.ask("GET", "/").body


def test_every_request_has_a_line_of_json(stalling: Any) -> None:
    model = stalling.ask("GET", "/models").json["models"][0]
    stalling.ask("POST", "/predict", {"texts": ["loved it", "so dull"]}, X_Request_Id="mine-1")
    stalling.ask("POST", "/predict", {"texts": []}, X_Request_Id="mine-2")
    line = stalling.log_lines(1, request_id="mine-1")[0]
    assert {name: line[name] for name in ("method", "path", "status", "model", "sha256", "texts")} == {
        "method": "POST", "path": "/predict", "status": 200, "model": "reviews", "sha256": model["sha256"], "texts": 2,
    }  # fmt: skip
    assert stalling.log_lines(1, request_id="mine-2")[0]["status"] == 422


def test_metrics_are_what_prometheus_reads(stalling: Any) -> None:
    stalling.predict("loved it")
    stalling.ask("GET", "/nothing/at/all")
    found = stalling.ask("GET", "/metrics")
    assert found.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    counted = stalling.metrics()
    assert counted['assay_requests_total{route="(other)",status="404"}'] >= 1
    answered = sum(value for name, value in counted.items() if name.startswith('assay_requests_total{route="/predict"'))
    assert counted['assay_request_seconds_count{route="/predict"}'] == answered
    assert counted['assay_request_seconds_bucket{route="/predict",le="+Inf"}'] == answered
    digest = stalling.ask("GET", "/models").json["models"][0]["sha256"]
    assert counted[f'assay_model_info{{model="reviews",sha256="{digest}"}}'] == 1
    assert counted["assay_requests_in_progress"] == 1  # this one


def test_a_socket_file_is_listened_at_and_goes(
    serve: Callable[..., Any], assay_command: Path, reviews: Path, tmp_path: Path
) -> None:
    name = tmp_path / "s"
    server = serve(reviews, "--uds", str(name))
    assert server.predict("loved it")["answers"][0]["prediction"] == "good"
    assert name.stat().st_mode & 0o777 == 0o660
    code, said = refused(assay_command, reviews, "--uds", str(name))
    assert code == 1
    assert "another server listens there" in said
    assert server.predict("loved it")["answers"][0]["prediction"] == "good"
    assert server.stop() == 0
    assert not name.exists()


def refused(assay_command: Path, *arguments: str | Path) -> tuple[int, str]:
    done = subprocess.run([assay_command, "serve", *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, " ".join(done.stderr.split())


def test_others_are_not_let_in_by_mistake(assay_command: Path, reviews: Path, tmp_path: Path) -> None:
    code, said = refused(assay_command, reviews, "--host", "0.0.0.0")
    assert code == 2
    assert "--host 0.0.0.0 lets other machines in" in said
    assert "--token-file" in said
    (tmp_path / "token").write_text("secret")
    code, said = refused(assay_command, reviews, "--host", "0.0.0.0", "--token-file", tmp_path / "token")
    assert code == 3
    assert "16 or more letters" in said


@pytest.mark.parametrize("added", [(), ("--allow-host", "models.example")])
def test_who_listens_everywhere_learns_that_others_need_a_name(
    serve: Callable[..., Any], reviews: Path, added: tuple[str, ...]
) -> None:
    server = serve(reviews, "--host", "0.0.0.0", "--insecure", *added)
    assert server.ask("GET", "/models").status == 200
    server.process.send_signal(signal.SIGTERM)
    assert ("--allow-host adds" in server.process.stderr.read()) == (not added)


def test_what_cannot_be_served_is_said(assay_command: Path, reviews: Path, tmp_path: Path) -> None:
    code, said = refused(assay_command, tmp_path / "revews.assay")
    assert code == 3
    assert "no such file" in said
    assert "'reviews.assay'" in said
    (tmp_path / "bad.assay").write_text("no model")
    code, said = refused(assay_command, tmp_path / "bad.assay")
    assert code == 3
    assert f"{tmp_path / 'bad.assay'}: this is no model" in said
    (tmp_path / "other").mkdir()
    shutil.copy(reviews, tmp_path / "other")
    code, said = refused(assay_command, reviews, tmp_path / "other")
    assert code == 2
    assert "would both be served as 'reviews'" in said
    code, said = refused(assay_command, reviews, "--root-path", "assay/")
    assert code == 2
    assert "--root-path must be a path such as /assay" in said


def test_two_servers_cannot_have_one_port(serve: Callable[..., Any], assay_command: Path, reviews: Path) -> None:
    code, said = refused(assay_command, reviews, "--port", str(serve(reviews).port))
    assert code == 1
    assert "Address already in use" in said
    assert "--port 0 takes one that is free" in said


def test_nothing_is_left_behind(serve: Callable[..., Any], reviews: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server = serve(f"other={reviews}")
    assert json.loads(server.ask("GET", "/models").body)["models"][0]["name"] == "other"
    server.ask("POST", "/predict", "text\nloved it\n", Content_Type="text/csv")
    assert server.stop() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.assay"]
