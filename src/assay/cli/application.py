"""The whole command line for typer: how a command is found, and how its help looks.

A command's file is imported when that command is asked for: ``assay --help`` imports none of them, and
neither numpy nor pyarrow.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from assay import __version__
from assay.cli.commands import COMMANDS
from assay.cli.options.groups import ungrouped
from assay.suggest import nearest_first, quoted

__all__ = ["build", "load"]

SETTINGS = {"help_option_names": ["--help", "-h"], "max_content_width": 100}


def build() -> Any:
    """Make the whole command line, ready to be called with arguments."""
    # Without markup typer's help needs no Markdown parser, whose import alone takes longer than all the rest.
    app = typer.Typer(cls=CommandGroup, rich_markup_mode=None, context_settings=SETTINGS, no_args_is_help=True)
    app.callback()(assay)
    return typer.main.get_command(app)


def print_version(asked: bool) -> None:
    """What ``--version`` does."""
    if asked:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


def assay(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=print_version, is_eager=True),
    ] = False,
) -> None:
    """From labelled text to a classifier you can trust: trained, measured, explained."""


def load(name: str) -> Any:
    """Import the file of the command `name` and make its command."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False, context_settings=SETTINGS)
    command = getattr(import_module(f"assay.cli.commands.{name}"), f"{name}_cli")
    app.command(name, cls=Command)(ungrouped(command))
    return typer.main.get_command(app)


# Contexts and formatters are typed `Any` below: typer does not export their classes.
class CommandGroup(TyperGroup):
    """All commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command."""
        return load(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or name those that there are, nearest first."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near, *others = nearest_first(name, COMMANDS)
            known = quoted(others, len(others))
            ctx.fail(f"There is no command {name!r}. Did you mean {near!r}? There are also {known}.")
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """One command, whose help shows its options in the groups that they name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; of a value that is no number, say what a number is, instead of naming a type."""
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            found = re.fullmatch(r"(.*) is not a valid (float|int|integer)\.?", error.message, re.DOTALL)
            if found is not None:
                wanted = "a number such as 0.2" if found[2] == "float" else "a whole number such as 3"
                error.message = f"{found[1]} is not {wanted}."
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Arguments by their plain names, in brackets where they may be left out."""
        arguments = [(metavar(item), item.required) for item in self.arguments(ctx)]
        return ["[OPTIONS]", *(name if required else f"[{name}]" for name, required in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then each group of options under its heading."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for argument in self.arguments(ctx):
            groups.setdefault("Arguments", []).append((metavar(argument), argument.help or ""))
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if option.param_type_name == "option" and record:
                groups.setdefault(getattr(option, "rich_help_panel", None) or "Options", []).append(record)
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)

    def arguments(self, ctx: Any) -> list[Any]:
        """Parameters that are given by position."""
        return [parameter for parameter in self.get_params(ctx) if parameter.param_type_name == "argument"]


def metavar(argument: Any) -> str:
    """What the help calls an argument."""
    return str(argument.metavar or argument.name.upper())
