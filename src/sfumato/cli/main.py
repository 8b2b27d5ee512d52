"""The entry point ``sfumato``."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from sfumato.cli.command import Command, commands
from sfumato.cli.exit_codes import (
    DONE,
    INTERNAL_ERROR,
    INTERRUPTED,
    NOT_MET,
    WRONG_INPUT,
    WRONG_USAGE,
)
from sfumato.engines.duckdb.kept_connections import connections_kept
from sfumato.errors import SfumatoError, UnmetError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

DESCRIPTION = """\
Anonymize microdata, and see the trade-off between privacy and information loss.

The workflow of a data publisher:
  sfumato init patients.csv              profile the file, propose a study to edit
  sfumato search study.toml -o run       find the Pareto-optimal recodings
  sfumato front run                      show them, and try rules for picking one
  sfumato release run --pick 'k>=5' -o released.csv
                                         write the anonymized table and verify it
  sfumato audit released.csv study.toml  audit any anonymized table
  sfumato verify released.csv released.csv.certificate.json
                                         check a release that you got
  sfumato report run                     write one HTML file with the front

sfumato demo does all of this on synthetic hospital data.
"""

EPILOG = """\
exit codes: 0 done; 1 wrong input or settings; 2 wrong command line; 3 done, but a requirement is
not met; 10 to 18 a release is not what its certificate says; 70 internal error; 130 interrupted.
Add --json for results that scripts can read.
"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Texts as they stand, and room for the names of the commands beside what they do."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        # argparse forgets that commands are indented further than options.
        self._action_max_length = max(map(len, (c.name for c in commands()))) + 4


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    import sfumato

    parser = argparse.ArgumentParser(
        prog="sfumato",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"sfumato {sfumato.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in commands():
        _add(subparsers, command)
    return parser


def _add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], command: Command) -> None:
    parser = subparsers.add_parser(
        command.name,
        help=command.summary,
        description=command.description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.arguments(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress and no remarks")
    parser.add_argument(
        "--traceback", action="store_true", help="show where in sfumato an error arose"
    )
    parser.set_defaults(chosen=command, parser=parser)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    from sfumato.cli.lacking_resources import lacking_resource
    from sfumato.cli.output import Output, notices_on

    parser = build_parser()
    given = sys.argv[1:] if arguments is None else arguments
    _check_command(parser, given[0] if given else None)
    parsed = parser.parse_args(given)
    if parsed.command is None:
        parser.print_help()
        return WRONG_USAGE
    command: Command = parsed.chosen
    output = Output(as_json=getattr(parsed, "json", False), quiet=parsed.quiet)
    # A terminated process cleans up as an interrupted one does: nothing half-written stays. Only
    # the main thread may say so.
    alone = threading.current_thread() is threading.main_thread()
    before = _cleaning_up() if alone else {}
    try:
        with notices_on(output), connections_kept():
            return command.run(parsed, output)
    except SfumatoError as error:
        if parsed.traceback:
            raise
        # Who types commands writes study files and options, and no Python.
        error.in_file_syntax()
        output.fail(f"sfumato {command.name}: {error}", error.to_json())
        return NOT_MET if isinstance(error, UnmetError) else WRONG_INPUT
    except KeyboardInterrupt:
        output.fail("interrupted", {"code": "interrupted", "message": "interrupted"})
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output left, as `head` does: no more can be written, not even by
        # Python on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if parsed.traceback:
            raise
        lacking = lacking_resource(error)
        if lacking is not None:
            # What the calls held, so that there is memory to say it.
            traceback.clear_frames(error.__traceback__)
            output.fail(f"sfumato {command.name}: {lacking}", lacking.to_json())
            return WRONG_INPUT
        message = (
            f"internal error ({type(error).__name__}); run the command again with --traceback and "
            "report what it prints, without any of your data"
        )
        fields = {"code": "internal-error", "message": message}
        output.fail(f"sfumato {command.name}: {message}", fields)
        return INTERNAL_ERROR
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check_command(parser: argparse.ArgumentParser, given: str | None) -> None:
    """Refuse what is no command, and say which one was meant, also where it is a file."""
    from sfumato.errors.suggestions import closest, did_you_mean

    names = [command.name for command in commands()]
    if given is None or given.startswith("-") or given in names:
        return
    if Path(given).suffix == ".toml" and Path(given).is_file():
        hint = f"search a study with: sfumato search {shlex.quote(given)}"
    elif Path(given).is_file():
        hint = f"propose a study of a table with: sfumato init {shlex.quote(given)}"
    else:
        hint = "sfumato --help lists all commands"
    meant = did_you_mean(closest(given, names))
    parser.error(f"there is no command {given!r}{meant}; {hint}")


def _cleaning_up() -> dict[signal.Signals, signal._HANDLER]:
    """Let the signals that end a process interrupt it; return what handled them before.

    A dropped connection sends SIGHUP, unless the user said (nohup) to go on without it.
    """
    before: dict[signal.Signals, signal._HANDLER] = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, _interrupt)
    return before


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    raise KeyboardInterrupt


def script() -> NoReturn:
    """Run as the script ``sfumato``."""
    sys.exit(main())
