"""Messages name parameters in Python and options on the command line, and every option that they name is there."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

import assay
from assay.cli.application import load
from assay.cli.commands import COMMANDS
from assay.clustering import cluster_texts
from assay.errors import AssayError
from assay.inference import regress
from assay.wording import naming_options, parameter, setting, value

SOURCE = Path(assay.__file__).parent


@pytest.mark.parametrize(
    ("name", "given", "in_python", "option"),
    [
        ("label", (), "label=", "--label"),
        ("label", (False,), "label=False", "--unlabelled"),
        ("skip_empty", (True,), "skip_empty=True", "--skip-empty"),
        ("quotes", (False,), "quotes=False", "--no-quotes"),
        ("errors", ("replace",), "errors='replace'", "--errors replace"),
        ("names", (["my text", "label"],), "names=['my text', 'label']", "--names 'my text,label'"),
        ("top", (10,), "top=10", "--top 10"),
    ],
)
def test_a_setting_is_named_as_the_reader_writes_it(
    name: str, given: tuple[Any, ...], in_python: str, option: str
) -> None:
    assert setting(name, *given) == in_python
    with naming_options():
        assert setting(name, *given) == option
    assert setting(name, *given) == in_python


def test_an_option_may_have_a_name_of_its_own() -> None:
    assert parameter("positive", of="swaps", option="--probe-positive") == "The 'positive' parameter of swaps"
    with naming_options():
        assert parameter("positive", of="swaps", option="--probe-positive") == "--probe-positive"
        assert value("it's") == "'it'\"'\"'s'"


def test_threads_name_options_too_and_an_error_ends_it() -> None:
    seen: list[str] = []

    def fail() -> None:
        with naming_options():
            thread = Thread(target=lambda: seen.append(setting("text")))
            thread.start()
            thread.join()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert seen == ["--text"]
    assert setting("text") == "text="


def named_in_messages() -> Iterator[tuple[str, str]]:
    """Every place in the package that names a setting by a literal, and the option that it comes to."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in ("setting", "parameter") or not isinstance(node.args[0], ast.Constant):
                continue
            own = [item.value.value for item in node.keywords if item.arg == "option"]
            given = [item.value for item in node.args[1:] if isinstance(item, ast.Constant)]
            with naming_options():
                said = setting(node.args[0].value, *given, option=own[0] if own else None)
            yield f"{path.relative_to(SOURCE)}:{node.lineno}", said.split()[0]


def test_every_option_that_a_message_names_is_an_option_of_a_command() -> None:
    known = {
        spelling for name in COMMANDS for item in load(name).params for spelling in (*item.opts, *item.secondary_opts)
    }
    assert [place for place in named_in_messages() if place[1] not in known] == []


def test_no_message_of_the_library_spells_an_option_out() -> None:
    spelt = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] in ("cli", "textbook", "wording.py"):
            continue
        tree = ast.parse(path.read_text())
        exempt = {id(child) for node in ast.walk(tree) for child in exempted(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in exempt:
                found = re.findall(
                    r"(?<![\w(;-])--[a-z]{2}[a-z-]*(?!:)\b|\(--[a-z]+|[a-z_]+= \(|\(in Python\b", node.value
                )
                markup_or_command = re.search(r"var\(--|<|assay (train|update) ", node.value)
                if found and not markup_or_command:
                    spelt[f"{path.relative_to(SOURCE)}:{node.lineno}"] = found
    assert spelt == {}


def exempted(node: ast.AST) -> Iterator[ast.AST]:
    """What is no message: documentation, and the words that name a setting or make up a command to copy."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setting", "parameter"):
        yield from ast.walk(node)
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        yield from node.values if str(node.values[0].value).startswith("assay ") else ()


def public_parameters(package: str) -> set[str]:
    """The parameters of everything that is public in a package, methods too, and in `assay` itself."""
    found: set[str] = set()
    for module in (assay, importlib.import_module(f"assay.{package}")):
        for name in {*getattr(module, "__all__", ())} - {"read"}:
            public = getattr(module, name)
            methods = [getattr(public, method) for method in dir(public) if not method.startswith("_")]
            for item in (public, *methods):
                with suppress(TypeError, ValueError):
                    found |= {*inspect.signature(item).parameters}
    return found


def advised_in_messages() -> Iterator[tuple[str, str]]:
    """Every place outside of the reading, and the setting that it advises as one of its own."""
    for path in sorted(SOURCE.rglob("*.py")):
        package = path.relative_to(SOURCE).parts[0]
        if package in ("cli", "data", "textbook") or package.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setting"
            if named and isinstance(node.args[0], ast.Constant) and "of_read" not in {k.arg for k in node.keywords}:
                yield package, f"{path.relative_to(SOURCE)}:{node.lineno}: {node.args[0].value}"


def test_every_setting_that_a_message_advises_is_a_parameter_of_something_public_there() -> None:
    known = {package: public_parameters(package) for package, _ in advised_in_messages()}
    wrong = [place for package, place in advised_in_messages() if place.rpartition(" ")[2] not in known[package]]
    assert wrong == []


UNREADABLE = {
    "an empty text": (["good", ""], ["x", "y"]),
    "a missing text": (["good", None], ["x", "y"]),
    "a missing label": (["good", "bad"], ["x", None]),
    "columns that could all be meant": {"first": ["a b", "c d"], "second": ["e f", "g h"], "third": ["i", "j"]},
}

READING = {
    "train": assay.train,
    "fit": assay.TextClassifier().fit,
    "evaluate": partial(assay.evaluate, SimpleNamespace(predict=list)),
    "compare": partial(assay.compare, SimpleNamespace(predict=list), SimpleNamespace(predict=list)),
    "cross_validate": partial(assay.cross_validate, assay.TextClassifier()),
    "cluster_texts": cluster_texts,
    "regress": regress,
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("function", READING.values(), ids=READING)
def test_a_function_that_reads_advises_its_own_settings_or_names_those_of_read(function: Any, data: Any) -> None:
    with pytest.raises(AssayError) as caught:
        function(data)
    plain = re.sub(r"assay\.read\(…, [^)]*\)", "", str(caught.value))
    advised = {*re.findall(r"\b([a-z_]+)=", plain)}
    assert advised <= {*inspect.signature(function).parameters}
    assert advised or plain != str(caught.value)
