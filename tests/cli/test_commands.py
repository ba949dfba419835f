"""The list of commands, their help, and how a wrong name is answered."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

import assay
from assay.cli.commands import COMMANDS


def test_help_lists_every_command_with_its_sentence(run):
    shown = run("--help")
    assert shown.returncode == 0
    assert shown.stderr == ""
    words = " ".join(shown.stdout.split())
    for name, sentence in COMMANDS.items():
        assert f"{name} {sentence}" in words


@pytest.mark.parametrize("name", COMMANDS)
def test_the_listed_sentence_is_the_first_of_the_command(name):
    command = getattr(import_module(f"assay.cli.commands.{name}"), f"{name}_cli")
    assert inspect.getdoc(command).splitlines()[0] == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(run, name):
    shown = run(name, "--help")
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"Usage: assay {name} [OPTIONS]")
    assert COMMANDS[name] in " ".join(shown.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_speaks_json(run, name):
    assert "--json" in run(name, "--help").stdout


def test_every_command_has_its_section_in_the_reference(pytestconfig):
    reference = (pytestconfig.rootpath / "docs/reference/command-line.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"<!-- output: assay {name} --help -->" not in reference] == []


def test_version(run):
    shown = run("--version")
    assert (shown.returncode, shown.stdout) == (0, f"assay {assay.__version__}\n")


def test_no_command_shows_the_help_and_is_a_usage_error(run):
    shown = run()
    assert shown.returncode == 2
    assert "Commands:" in shown.stderr
    assert shown.stdout == ""


def test_unknown_command_is_answered_with_the_nearest_first(run):
    shown = run("inspekt", "x.csv")
    assert shown.returncode == 2
    assert "There is no command 'inspekt'. Did you mean 'inspect'?" in shown.stderr
    assert all(name in shown.stderr for name in COMMANDS)


@pytest.mark.parametrize(("command", "wrong", "right"), [(["info"], "--jsn", "--json"), ([], "--versio", "--version")])
def test_unknown_option_is_answered_with_the_nearest(run, command, wrong, right):
    shown = run(*command, wrong)
    assert shown.returncode == 2
    in_words_of_typer = f"No such option: {wrong} (Possible options: {right})"
    in_words_of_click = f"No such option '{wrong}'. Did you mean '{right}'?"
    assert in_words_of_typer in shown.stderr or in_words_of_click in shown.stderr


def test_options_are_shown_in_their_groups(run):
    shown = run("info", "--help").stdout
    assert shown.index("Output:") < shown.index("--json") < shown.index("--help")


def test_shell_completion_names_the_commands(run):
    shown = run(_ASSAY_COMPLETE="complete_bash", COMP_WORDS="assay in", COMP_CWORD="1")
    assert shown.returncode == 0
    assert shown.stdout.split() == ["inspect", "info"]
