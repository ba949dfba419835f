"""Requests that wait together, without sockets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import assay
from assay.errors import DataError
from assay.server.answers import Answer
from assay.server.app import build_app
from assay.server.batching import SMALL, Batcher, Places
from assay.server.errors import ApiError
from assay.server.served_model import ServedModel
from assay.server.settings import ServerSettings
from assay.server.shelf import ModelShelf
from assay.streaming.question import Question


class Model:
    """Gives every text back, and remembers what it was asked together."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def ask(self, texts: list[str], question: Question, told: bool) -> list[Answer]:
        self.calls.append(texts)
        if "bad" in texts:
            raise DataError("a bad text. Leave it out.")
        return [Answer(text) for text in texts]


def test_those_who_wait_together_are_answered_by_one_call() -> None:
    model = Model()

    async def ask() -> list[list[Answer]]:
        batcher = Batcher(model.ask, lambda _: None, Places())
        return await asyncio.gather(*(batcher.submit([f"{k}", "x"], Question(), told=True) for k in range(5)))

    found = asyncio.run(ask())
    assert [[answer.prediction for answer in answers] for answers in found] == [[f"{k}", "x"] for k in range(5)]
    assert len(model.calls) == 1


def test_different_questions_are_asked_apart() -> None:
    model = Model()

    async def ask() -> None:
        batcher = Batcher(model.ask, lambda _: None, Places())
        questions = [Question(), Question(top=2), Question()]
        await asyncio.gather(*(batcher.submit([f"{k}"], question, told=True) for k, question in enumerate(questions)))

    asyncio.run(ask())
    assert model.calls == [["0", "2"], ["1"]]


def test_while_a_large_call_is_made_others_gather() -> None:
    model = Model()

    async def ask() -> None:
        batcher = Batcher(model.ask, lambda _: None, Places())
        first = batcher.submit(["x" * SMALL * 2], Question(), told=True)
        await asyncio.sleep(0)
        others = [batcher.submit([f"{k}"], Question(), told=True) for k in range(3)]
        await asyncio.gather(first, *others)

    asyncio.run(ask())
    assert model.calls[1:] == [["0", "1", "2"]]


def test_only_the_request_with_the_bad_text_fails() -> None:
    async def ask() -> list[list[Answer] | BaseException]:
        batcher = Batcher(Model().ask, lambda _: None, Places())
        waiting = [batcher.submit([text], Question(), told=True) for text in ("a", "bad", "b")]
        return await asyncio.gather(*waiting, return_exceptions=True)

    first, failed, last = asyncio.run(ask())
    assert isinstance(failed, DataError)
    assert [first, last] == [[Answer("a")], [Answer("b")]]


def test_a_full_queue_refuses_and_says_when_to_come_again() -> None:
    places = Places(5)
    places.take(9)  # however many, where nothing else waits
    with pytest.raises(ApiError) as refused:
        places.take(1)
    assert refused.value.status == 429
    assert (b"retry-after", b"1") in refused.value.headers
    assert "9 texts wait already" in refused.value.what


def test_an_answer_that_takes_too_long_is_given_up(
    tmp_path: Path, model_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(self: ServedModel, texts: list[str], question: Question, told: bool) -> list[Answer]:
        time.sleep(0.3)
        return []

    monkeypatch.setattr(ServedModel, "_ask", slowly)
    model = ServedModel("reviews", "0" * 64, assay.load(model_file(tmp_path / "m.assay")))
    app = build_app(ModelShelf([model]), ServerSettings(time_limit=0.05))
    found = TestClient(app, base_url="http://localhost").post("/predict", json={"texts": ["x" * (SMALL + 1)]})
    assert found.status_code == 503
    assert found.headers["retry-after"] == "1"
    assert found.json()["error"]["what"] == "No answer came within 0.05 seconds."


def test_an_error_of_ours_is_told_without_its_details(
    tmp_path: Path, model_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: ServedModel, texts: list[str], question: Question, told: bool) -> list[Answer]:
        raise RuntimeError("/home/somebody/secret")

    monkeypatch.setattr(ServedModel, "_ask", fail)
    model = ServedModel("reviews", "0" * 64, assay.load(model_file(tmp_path / "m.assay")))
    app = build_app(ModelShelf([model]), ServerSettings())
    found = TestClient(app, base_url="http://localhost").post("/predict", json={"texts": ["x"]})
    assert found.status_code == 500
    assert "secret" not in found.text
