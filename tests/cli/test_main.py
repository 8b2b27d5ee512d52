"""The frame of the command line: help, exit codes, errors as messages."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.heeded_signals import heeded_signals

import sfumato
import sfumato.cli.main as main_module
from sfumato.cli import exit_codes
from sfumato.cli.command import Command, commands
from sfumato.cli.main import build_parser, main
from sfumato.errors import SettingsError, UnmetError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.cli.output import Output

NAMES = [command.name for command in commands()]


def command(run: Callable[[argparse.Namespace, Output], int]) -> Command:
    return Command(
        name="try",
        order=1,
        summary="try",
        description="Try.",
        arguments=lambda parser: None,  # noqa: ARG005
        run=run,
    )


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[[Command], None]:
    return lambda one: monkeypatch.setattr(main_module, "commands", lambda: (one,))


def test_commands_are_in_the_order_of_the_workflow() -> None:
    assert [name for name in NAMES if name in ("search", "evaluate", "front")] == [
        "search",
        "evaluate",
        "front",
    ]
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_help_teaches(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    assert f"sfumato {name}" in shown
    assert re.search(rf"^  sfumato {name}", shown, re.MULTILINE), "help has an example"


def test_help_lists_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr().out
    assert all(f"\n    {name} " in shown for name in NAMES)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"sfumato {sfumato.__version__}\n"


def test_an_unknown_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serach"])
    assert stopped.value.code == 2
    assert "serach" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (SettingsError("k is 0; use 1"), 1, "sfumato try: k is 0; use 1"),
        (UnmetError("no solution has k>=9"), 3, "sfumato try: no solution has k>=9"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (
            RuntimeError("Canary Smith"),
            70,
            "internal error (RuntimeError); run the command",
        ),
    ],
)
def test_errors_become_messages_and_exit_codes(
    error: BaseException,
    code: int,
    said: str,
    only: Callable[[Command], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(arguments: argparse.Namespace, output: Output) -> int:  # noqa: ARG001
        raise error

    only(command(run))
    assert main(["try"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "Canary" not in captured.err, "the message of an internal error may hold data"
    if code != 130:
        with pytest.raises(type(error)):
            main(["try", "--traceback"])


UNKNOWN = SettingsError.unknown_choice("policy", "dorp", ["category", "drop"], file="study.toml")


@pytest.mark.parametrize(
    ("error", "code", "fields"),
    [
        (UNKNOWN, 1, UNKNOWN.to_json()),
        (UnmetError("no solution has k>=9"), 3, {"code": "unmet"}),
        (KeyboardInterrupt(), 130, {"code": "interrupted"}),
        (RuntimeError("Canary Smith"), 70, {"code": "internal-error"}),
    ],
)
def test_errors_become_json_for_scripts(
    error: BaseException,
    code: int,
    fields: dict[str, object],
    only: Callable[[Command], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(arguments: argparse.Namespace, output: Output) -> int:  # noqa: ARG001
        raise error

    only(replace(command(run), arguments=_add_json))
    assert main(["try", "--json"]) == code
    captured = capsys.readouterr()
    found = json.loads(captured.out)["error"]
    assert {name: found[name] for name in fields} == fields
    assert found["message"] in captured.err
    assert "Canary" not in captured.out


def test_a_result_and_an_error_are_one_json_value(
    only: Callable[[Command], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def run(arguments: argparse.Namespace, output: Output) -> int:  # noqa: ARG001
        output.json({"k": 3})
        raise UnmetError("k is not kept")

    only(replace(command(run), arguments=_add_json))
    assert main(["try", "--json"]) == 3
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"k": 3}
    assert "k is not kept" in captured.err


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")


def test_a_terminated_process_stops_as_an_interrupted_one(
    only: Callable[[Command], None],
) -> None:
    def run(arguments: argparse.Namespace, output: Output) -> int:  # noqa: ARG001
        signal.raise_signal(signal.SIGTERM)
        return 0

    only(command(run))
    with heeded_signals():
        before = signal.getsignal(signal.SIGTERM)
        assert main(["try"]) == 130
        assert signal.getsignal(signal.SIGTERM) is before


def test_it_runs_in_any_thread(only: Callable[[Command], None]) -> None:
    only(command(lambda arguments, output: 0))  # noqa: ARG005
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["try"])))
    thread.start()
    thread.join()
    assert codes == [0]


def test_options_are_not_abbreviated(
    only: Callable[[Command], None], capsys: pytest.CaptureFixture[str]
) -> None:
    only(replace(command(lambda arguments, output: 0)))  # noqa: ARG005
    with pytest.raises(SystemExit):
        main(["try", "--qui"])
    assert "--qui" in capsys.readouterr().err


def test_help_tells_all_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out.partition("exit codes: ")[2]
    for code in (value for value in vars(exit_codes).values() if isinstance(value, int)):
        assert re.search(rf"\b{code} [a-z]", told), code


def test_help_is_light() -> None:
    """What takes long to import is imported by the command that needs it."""
    heavy = ("duckdb", "numba", "pandas", "polars", "pyarrow", "moocore", "numpy")
    code = (
        "import sys; from sfumato.cli.main import build_parser; build_parser(); "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == "[]"


def test_the_parser_is_whole() -> None:
    assert build_parser().prog == "sfumato"


def test_a_reader_that_leaves_is_not_an_error() -> None:
    code = (
        "import sys\n"
        "import sfumato.cli.main as main_module\n"
        "from sfumato.cli.command import Command\n"
        "def run(arguments, output):\n"
        "    for _ in range(100_000):\n"
        "        output.show('a line of metrics')\n"
        "    return 0\n"
        "one = Command(name='try', order=1, summary='', description='', "
        "arguments=lambda parser: None, run=run)\n"
        "main_module.commands = lambda: (one,)\n"
        "sys.exit(main_module.main(['try']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("serach", "did you mean 'search'?"),
        ("people.csv", "sfumato init people.csv"),
        ("study.toml", "sfumato search study.toml"),
        ("nothing.csv", "sfumato --help"),
    ],
)
def test_what_is_no_command_leads_to_one(
    given: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("age\n1\n")
    (tmp_path / "study.toml").write_text("")
    with pytest.raises(SystemExit) as ended:
        main([given])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
