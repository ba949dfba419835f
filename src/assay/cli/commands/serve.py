"""``assay serve``: models behind HTTP."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Annotated

import typer

from assay.cli.options.option import OUTPUT, option
from assay.cli.options.screen import SCREEN, JsonOrQuiet

__all__ = ["serve_cli"]

WHERE, WHO, HOW_MUCH = "Where to listen", "Who may ask", "How much"
where = partial(option, panel=WHERE, show_default=True)
who = partial(option, panel=WHO)
much = partial(option, panel=HOW_MUCH, show_default=True)


def serve_cli(
    model: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL...",
            help="Files, each called as its name without .assay; NAME=FILE to call it otherwise; or folders of them.",
        ),
    ],
    host: Annotated[str, where("--host", metavar="NAME", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, where("--port", metavar="N", min=0, max=65535, help="The port; 0 for one that is free.")
    ] = 8000,
    uds: Annotated[
        str | None, where("--uds", metavar="FILE", help="Listen on this socket file instead.", show_default=False)
    ] = None,
    root_path: Annotated[
        str,
        where(
            "--root-path",
            metavar="PATH",
            help="What a proxy shows the server below, such as /assay.",
            show_default=False,
        ),
    ] = "",
    token_file: Annotated[
        str | None,
        who("--token-file", metavar="FILE", help="Let in who sends 'Authorization: Bearer' and the line in this file."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        who(
            "--allow-host",
            metavar="NAME",
            help="Answer to this name in the Host header too; again for more. '*' answers to all, which lets pages in "
            "by DNS rebinding.",
        ),
    ] = None,
    cors: Annotated[
        list[str] | None,
        who(
            "--cors",
            metavar="ORIGIN",
            help="Let pages of this origin ask, such as https://tool.example; again for more.",
        ),
    ] = None,
    insecure: Annotated[bool, who("--insecure", help="Let other machines in without a token.")] = False,
    workers: Annotated[int, much("--workers", metavar="N", min=1, max=256, help="Processes that answer.")] = 1,
    queue: Annotated[int, much("--queue", metavar="N", min=1, help="Texts that may wait; more get 429.")] = 10_000,
    body_limit: Annotated[
        float, much("--body-limit", metavar="MB", min=0.001, help="Size of a body of JSON; larger ones get 413.")
    ] = 8.0,
    bulk_limit: Annotated[
        float, much("--bulk-limit", metavar="MB", min=0.001, help="The same of CSV, NDJSON and Arrow.")
    ] = 4096.0,
    time_limit: Annotated[
        float, much("--time-limit", metavar="S", min=0.001, help="Seconds until an answer is given up with 503.")
    ] = 30.0,
    stall_limit: Annotated[
        float,
        much("--stall-limit", metavar="S", min=0.1, help="Seconds that a client may take to send, or to read, more."),
    ] = 20.0,
    grace: Annotated[
        float, much("--grace", metavar="S", min=0.0, help="Seconds to finish what has begun when asked to stop.")
    ] = 10.0,
    no_access_log: Annotated[
        bool, option("--no-access-log", help="No line of JSON for each request.", panel=OUTPUT)
    ] = False,
    screen: JsonOrQuiet = SCREEN,
) -> None:
    """Answer over HTTP: labels, probabilities and explanations.

    A model whose file is replaced is loaded again while requests go on. Lines of JSON about requests go to standard
    output; with --json, the first of them says where the server is. Ctrl-C, or SIGTERM, stops the server when it has
    finished what it has begun.

    By default only this machine can ask. The guide to serving describes requests and answers.
    """
    from assay.cli.import_ahead import import_ahead
    from assay.optional import require

    for module in ("starlette", "uvicorn", "httptools", "msgspec"):
        require(module, "'assay serve' and what it answers", extra="server")
    import_ahead("assay.loading")
    from assay.server.process.listening import check_exposure
    from assay.server.process.start import serve_models
    from assay.server.settings import ServerSettings, read_token

    settings = ServerSettings(
        host=host,
        port=port,
        uds=uds,
        workers=workers,
        grace=grace,
        allowed_hosts=tuple(allow_host or ()),
        cors=tuple(cors or ()),
        token=None if token_file is None else read_token(token_file),
        root_path=root_path,
        body_limit=round(body_limit * 1_000_000),
        bulk_limit=round(bulk_limit * 1_000_000),
        time_limit=time_limit,
        stall_limit=stall_limit,
        queue=queue,
        access_log=not no_access_log,
    )
    check_exposure(settings, insecure=insecure)

    def begun(address: str, names: list[str]) -> None:
        from assay.suggest import quoted

        if screen.as_json:
            typer.echo(json.dumps({"kind": "serving", "version": 1, "address": address, "models": names}))
            sys.stdout.flush()
        screen.say(f"Serving {quoted(names)} at {address} (Ctrl-C stops)")
        if settings.is_nameless:
            screen.say("Other machines can ask under names, or addresses, that --allow-host adds.")

    serve_models(model, settings, begun, sys.stdout.fileno())
