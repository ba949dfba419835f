"""The command `assay`: runs a command and turns whatever stops it into a message and an exit code.

====  ======================================================================
code  meaning
====  ======================================================================
0     done
1     it failed: something is not permitted, not installed, memory ran out, or (without a message)
      the reader of the output went away, as ``| head`` does
2     the command was not used rightly
3     the data, or a model file, is invalid
4     a quality gate (``--min``) was missed
129   ended because its terminal was closed (SIGHUP)
130   ended by Ctrl-C
143   ended by the system (SIGTERM)
====  ======================================================================
"""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from assay.cli import clock
from assay.cli.application import build
from assay.cli.signals.exit_codes import INTERRUPTED
from assay.cli.signals.watch import SignalWatch
from assay.errors import AssayError, NotEnoughMemoryError, NotPermittedError
from assay.terminal import visible
from assay.wording import naming_options

__all__ = ["main"]

_LONGEST_MESSAGE = 4000


def main(arguments: list[str] | None = None, *, began: float | None = None) -> int:
    """Run ``assay`` with `arguments` (the process's own by default), which `began` then, and return its exit code."""
    clock.begin(began)
    if arguments is None:
        start_quickly()
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115  (closed by whoever started this)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # question marks rather than no output where it is not UTF-8
    try:
        code = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return 1
    except AssayError as error:
        say(f"Error: {error}")
        return error.exit_code
    except (MemoryError, ImportError, RuntimeError) as error:
        cause = error.__cause__
        if is_lack_of_memory(error):
            cause = NotEnoughMemoryError.of(error)
        if not isinstance(cause, AssayError):
            raise
        say(f"Error: {cause}")  # of an import: of the native module, which looks at ASSAY_CPU
        return cause.exit_code
    except OSError as error:
        discard_output()
        if isinstance(error, PermissionError) and error.filename:
            say(f"Error: {NotPermittedError.of(error.filename)}")
            return 1
        place = f"{error.filename}: " if error.filename else ""
        say(f"Error: {place}{error.strerror or error}.")
        return 1
    if code == INTERRUPTED:
        say("Interrupted.")
    return code


def is_lack_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out: also for a library or a thread that did not fit any more."""
    signs = ("failed to map segment", "start new thread", "Resource temporarily unavailable")
    while error is not None:
        if isinstance(error, MemoryError) or any(sign in str(error) for sign in signs):
            return True
        error = error.__cause__ or error.__context__
    return False


def start_quickly() -> None:
    """Spare this process what it has no use for: a tenth of a second of the time until an answer."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts them when imported; the native core has its own
    gc.set_threshold(200_000)  # importing makes many objects and no garbage


def discard_output() -> None:
    """Let output that cannot be written go nowhere: the interpreter tries once more at its end, and must not fail."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: list[str] | None) -> int:
    """Hand over to the command; usage errors are shown, and Ctrl-C caught, by typer."""
    with SignalWatch() as watch, naming_options():
        try:
            build()(args=arguments, prog_name="assay")
            code = 0
        except SystemExit as finished:
            code = finished.code if isinstance(finished.code, int) else 0
        except Exception:
            if watch.code is None:  # else it is what an interrupted library made of the interruption
                raise
            code = watch.code
        return watch.code or code


def say(message: str) -> None:
    """Write to standard error what a person should read; of what nobody would read to its end, the ends."""
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[: _LONGEST_MESSAGE // 2]} … {message[-_LONGEST_MESSAGE // 2 :]}"
    print(visible(message), file=sys.stderr)  # noqa: T201
