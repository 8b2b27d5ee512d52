from __future__ import annotations

import io
import json

import pytest
from rich.console import Console
from rich.table import Table

from sfumato.cli.output import Output


def table() -> Table:
    made = Table()
    for name in ("first", "second"):
        made.add_column(name)
    made.add_row("x" * 150, "[bold]y[/]")
    return made


def output(*, terminal: bool, as_json: bool = False, quiet: bool = False) -> Output:
    return Output(
        as_json=as_json,
        quiet=quiet,
        out=Console(file=io.StringIO(), force_terminal=terminal, width=80, color_system=None),
        error=Console(file=io.StringIO(), width=80),
    )


def shown(of: Output) -> str:
    assert isinstance(of.out.file, io.StringIO)
    return of.out.file.getvalue()


def test_a_table_in_a_pipe_is_not_folded() -> None:
    pipe = output(terminal=False)
    pipe.show(table())
    assert "x" * 150 in shown(pipe)
    assert pipe.out.width == 80
    assert pipe.fits(table())


def test_a_table_in_a_terminal_keeps_to_its_width() -> None:
    terminal = output(terminal=True)
    assert not terminal.fits(table())
    terminal.show(table())
    assert max(map(len, shown(terminal).splitlines())) <= 80


def test_texts_are_no_markup() -> None:
    terminal = output(terminal=True)
    terminal.show("column [bold] of [/]")
    assert "column [bold] of [/]" in shown(terminal)


def test_json_is_alone_on_stdout() -> None:
    script = output(terminal=False, as_json=True)
    script.show("a predicate")
    script.show(table())
    script.json({"value": float("inf"), "levels": {"age": 1}})
    assert json.loads(shown(script)) == {"value": "inf", "levels": {"age": 1}}
    person = output(terminal=False)
    person.json({"value": 1})
    assert shown(person) == ""


@pytest.mark.parametrize("quiet", [True, False])
def test_remarks_go_to_stderr_unless_quiet(quiet: bool) -> None:
    of = output(terminal=False, quiet=quiet)
    of.remark("working")
    assert shown(of) == ""
    assert isinstance(of.error.file, io.StringIO)
    assert ("working" in of.error.file.getvalue()) is not quiet


def test_a_failure_is_told_where_there_is_no_memory_for_colours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking(*_: object, **__: object) -> None:
        raise MemoryError

    of = output(terminal=False, as_json=True)
    monkeypatch.setattr(of.error, "print", lacking)
    of.fail("too little memory", {"code": "out-of-memory"})
    assert capsys.readouterr().err == "too little memory\n"
    assert json.loads(shown(of)) == {"error": {"code": "out-of-memory"}}
