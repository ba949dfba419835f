"""The pages in a real browser: they show what the model says, by mouse and by keyboard, and no text gets its way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assay.server.openapi import ExplainAnswer, ModelAtLength, Models, PredictAnswers, RefusalAnswer, openapi_document

SCRIPT = "<img src=x onerror=\"document.title = 'taken over'\"><script>document.title = 'taken over'</script>"
SETTLED = "document.querySelector('#question').getAttribute('aria-busy') !== 'true'"


def until(browser: Any, condition: str) -> None:
    """Wait for the page; a condition that never comes fails."""
    said = browser.run(
        f"new Promise((done) => {{ const ask = (left) => ({condition}) ? done(true) : left ? "
        "setTimeout(ask, 20, left - 1) : done(false); ask(1500); })"
    )
    assert said, f"never: {condition}"


def content(browser: Any, selector: str) -> str:
    return str(browser.run(f"document.querySelector({json.dumps(selector)}).textContent"))


def shown(browser: Any, selector: str) -> bool:
    return bool(browser.run(f"document.querySelector({json.dumps(selector)}).checkVisibility()"))


def choose(browser: Any, selector: str, value: str) -> None:
    """Choose an option, as the browser's own list does."""
    it = f"document.querySelector({json.dumps(selector)})"
    browser.run(f"{it}.value = {json.dumps(value)}; {it}.dispatchEvent(new Event('change', {{bubbles: true}}))")
    until(browser, SETTLED)


@pytest.fixture
def page(browser: Any, served: Any) -> Any:
    browser.open(f"{served.url}/")
    until(browser, "document.querySelector('#model').options.length === 4")
    return browser


def ask(page: Any, text: str, model: str = "shop") -> None:
    page.run(f"document.querySelector('#model').value = {json.dumps(model)}")
    page.run(f"document.querySelector('#text').value = {json.dumps(text)}")
    page.click("#ask")
    until(page, f"{SETTLED} && document.querySelector('#coloured').textContent === {json.dumps(text)}")


def test_the_answer_is_the_models(page: Any, served: Any) -> None:
    ask(page, "where is my parcel")
    (label,) = served.models["shop"].predict(["where is my parcel"]).tolist()
    best = served.models["shop"].predict_proba(["where is my parcel"]).max()
    assert content(page, "#said") == label
    assert content(page, "#sure").startswith(f"{best:.1%} sure; next is “")
    assert content(page, "#gauge dt.given span") == label
    assert page.run("document.querySelectorAll('#gauge dt').length") == 5


def test_words_are_coloured_by_what_they_contribute(page: Any, served: Any) -> None:
    text = "🎉 where is my parcel 🎉"  # two units of UTF-16 each
    ask(page, text)
    explanation = served.models["shop"].explain(text)
    pieces = {piece.text: piece.contribution for piece in explanation.pieces()}
    marks = page.run("[...document.querySelectorAll('#coloured mark')].map((m) => [m.textContent, m.className])")
    assert "parcel" in [word for word, _ in marks]
    assert all((pieces[word] > 0) == (kind == "for") for word, kind in marks)
    strongest = "getComputedStyle([...document.querySelectorAll('#coloured mark')].find((m) => m.style.getPropertyValue"
    assert page.run(f"{strongest}('--s') === '1.00')).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_another_label_can_be_explained(page: Any) -> None:
    ask(page, "where is my parcel")
    assert page.run("document.querySelector('#explained').value") == "delivery"
    choose(page, "#explained", "returns")
    until(page, "document.querySelector('#explained').value === 'returns'")
    weaker = content(page, "#features tr.sum td:last-child")
    choose(page, "#against", "delivery")
    until(page, f"document.querySelector('#features tr.sum td:last-child').textContent !== {json.dumps(weaker)}")
    assert content(page, "#said") == "delivery"


def test_sets_have_a_tick_where_a_label_is_given(page: Any) -> None:
    ask(page, "tax and football", "topics")
    assert sorted(content(page, "#said").split(", ")) == ["politics", "sport"]
    assert page.run("document.querySelectorAll('#gauge .bar u').length") == 2
    assert not shown(page, "#against-field")
    ask(page, "rain", "topics")
    assert content(page, "#said") == "No label."


def test_an_abstention_is_said(page: Any) -> None:
    ask(page, "where is my parcel", "careful")
    assert content(page, "#said") == "Undecided."
    assert "delivery" in content(page, "#sure")


def test_log_probabilities_are_shown_against_the_next_label(page: Any) -> None:
    ask(page, "where is my parcel", "bayes")
    assert page.run("document.querySelector('#against').value") != ""
    assert page.run("document.querySelectorAll('#coloured mark.for').length") > 0


def test_no_text_is_run(page: Any) -> None:
    ask(page, SCRIPT)
    assert content(page, "#coloured") == SCRIPT
    assert page.run("document.title") == "Try a text · assay"
    assert page.run("document.querySelectorAll('main img, main script').length") == 0
    for attempt in ("document.body.innerHTML = '<p>'", "document.body.setAttribute('onclick', 'x = 1')"):
        tried = f"(() => {{ try {{ {attempt}; return 'allowed'; }} catch (error) {{ return error.name; }} }})()"
        assert page.run(tried) == "TypeError", attempt


def test_it_works_without_a_mouse(page: Any) -> None:
    page.run("document.querySelector('#text').focus()")
    page.ask("Input.insertText", text="where is my parcel")
    for kind in ("keyDown", "keyUp"):
        page.ask("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, modifiers=2)
    until(page, "document.querySelector('#said').textContent === 'delivery'")


def test_a_refusal_is_shown_with_the_way_out(page: Any) -> None:
    long = "a " * 60_000
    page.run(f"document.querySelector('#text').value = {json.dumps(long)}")
    page.click("#ask")
    until(page, "!document.querySelector('#refusal').hidden")
    assert "120,000 characters" in content(page, "#refusal-what")
    assert content(page, "#refusal-way-out")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_every_window_and_both_schemes(browser: Any, served: Any, width: int, dark: bool) -> None:
    browser.open(f"{served.url}/", width=width, dark=dark)
    until(browser, "document.querySelector('#model').options.length === 4")
    ask(browser, "where is my parcel " + "Donaudampfschifffahrtsgesellschaft" * 4)
    assert browser.run("document.documentElement.scrollWidth") <= width
    lightness = browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]")
    assert (lightness < 60) == dark


def test_the_page_asks_for_the_token(browser: Any, served_with_token: Any) -> None:
    browser.open(f"{served_with_token.url}/")
    until(browser, "!document.querySelector('#token-field').hidden")
    browser.type("#text", "where is my parcel")
    browser.click("#ask")
    until(browser, "!document.querySelector('#refusal').hidden")
    assert content(browser, "#refusal-what") == "The request has no token."
    browser.type("#token", served_with_token.token)
    browser.click("#ask")
    until(browser, "document.querySelector('#said').textContent === 'delivery'")
    assert not shown(browser, "#refusal")
    assert served_with_token.token not in content(browser, "#command")


def test_nothing_is_loaded_from_elsewhere(page: Any, served: Any) -> None:
    ask(page, "where is my parcel")
    assert page.requests
    assert all(url.startswith(f"{served.url}/") for url in page.requests)


def test_the_api_is_shown(browser: Any, served: Any) -> None:
    browser.open(f"{served.url}/docs")
    until(browser, "document.querySelectorAll('#calls details').length > 0")
    document = json.loads(openapi_document())
    shown_calls = browser.run("[...document.querySelectorAll('#calls summary code')].map((it) => it.textContent)")
    assert shown_calls == list(document["paths"])
    browser.click("#calls summary")
    browser.click("#calls a[href='#PredictRequest']")
    until(browser, "document.getElementById('PredictRequest').open")
    assert all(url.startswith(f"{served.url}/") for url in browser.requests)


# ----------------------------------------------------------------------------------------------------------------------
# The document says what the server does.


def test_every_route_is_in_the_document() -> None:
    from assay.server.routes import all_routes

    documented = {
        (path, method.upper())
        for path, methods in json.loads(openapi_document())["paths"].items()
        for method in methods
    }
    left_out = ("/page/{name}", "/v2/models/{name}/versions")
    routes: Any = all_routes()
    found = {(route.path, method) for route in routes for method in route.methods - {"HEAD"}}
    assert documented == {one for one in found if not one[0].startswith(left_out)}


def test_every_reference_in_the_document_leads_somewhere() -> None:
    written = openapi_document().decode()
    schemas = json.loads(written)["components"]["schemas"]
    parts = written.split('"$ref":"')[1:]
    assert parts
    assert all(part.partition('"')[0].removeprefix("#/components/schemas/") in schemas for part in parts)


@pytest.mark.parametrize("model", ["shop", "topics", "careful"])
def test_answers_are_of_the_types_in_the_document(served: Any, model: str) -> None:
    from http.client import HTTPConnection

    import msgspec

    connection = HTTPConnection(served.url.removeprefix("http://"))

    def answer(path: str, body: Any = None) -> bytes:
        sent = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"}
        connection.request("GET" if body is None else "POST", path, sent, headers)
        return connection.getresponse().read()

    texts = ["where is my parcel", "tax and football", ""]
    assert len(msgspec.json.decode(answer("/models"), type=Models).models) == 4
    assert msgspec.json.decode(answer(f"/models/{model}"), type=ModelAtLength).name == model
    predicted = msgspec.json.decode(answer("/predict", {"texts": texts, "model": model}), type=PredictAnswers)
    assert len(predicted.answers) == 3
    explained = msgspec.json.decode(answer("/explain", {"text": texts[0], "model": model}), type=ExplainAnswer)
    assert explained.explanation.text == texts[0]
    refused = msgspec.json.decode(answer("/explain", {"text": 1, "model": model}), type=RefusalAnswer)
    assert refused.error.way_out
    connection.close()
