"""Where a command writes: metrics to stdout, everything else to stderr."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from sfumato.errors import Notice
from sfumato.views.json_text import script_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console, RenderableType


_WIDEST = 100_000


class Output:
    """The two streams of a command.

    With ``as_json`` stdout carries one JSON value and nothing else, the result or the error;
    tables and sentences are left out, and progress stays on stderr. ``quiet`` leaves out progress
    and remarks.
    """

    def __init__(
        self,
        *,
        as_json: bool = False,
        quiet: bool = False,
        out: Console | None = None,
        error: Console | None = None,
    ) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.out = out or _console(stderr=False)
        self.error = error or _console(stderr=True)
        self._result_written = False

    def show(self, what: RenderableType = "") -> None:
        """Show metrics to a person: a text or a rich table, on stdout.

        In a file or a pipe a table is as wide as it needs to be: nothing is cut or folded.
        """
        if self.as_json:
            return
        if isinstance(what, str):
            self.out.print(what, markup=False)
        elif self.out.is_terminal:
            self.out.print(what)
        else:
            before = self.out.width
            self.out.width = max(1, self._width_of(what))
            self.out.print(what, crop=False)
            self.out.width = before

    def fits(self, what: RenderableType) -> bool:
        """Say whether something can be shown without being folded."""
        return not self.out.is_terminal or self._width_of(what) <= self.out.width

    def _width_of(self, what: RenderableType) -> int:
        from rich.measure import Measurement

        room = self.out.options.update(max_width=_WIDEST)
        return Measurement.get(self.out, room, what).maximum

    def json(self, view: object) -> None:
        """Write a view for a script, if that was asked for."""
        if self.as_json:
            self.out.file.write(script_json(view) + "\n")
            self._result_written = True

    def fail(self, text: str, fields: Mapping[str, object]) -> None:
        """Say why a command fails, on stderr; for a script, also by fields in place of the result.

        A result that is there already, of which something does not hold, stays the only value.
        """
        try:
            self.error.print(text, markup=False, style="red")
        except MemoryError:
            # Colours are not worth it.
            sys.stderr.write(f"{text}\n")
        if not self._result_written:
            self.json({"error": fields})

    def warn(self, text: str) -> None:
        """Say what should not be overlooked, on stderr, also where remarks are not wanted."""
        self.error.print(f"warning: {text}", markup=False, style="yellow")

    def remark(self, text: str) -> None:
        """Tell what is going on, on stderr."""
        if not self.quiet:
            self.error.print(text, markup=False, style="dim")


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    class OpenConsole(Console):
        """A console that leaves it to the caller what a reader that left means."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return OpenConsole(stderr=stderr, highlight=False, soft_wrap=True)


@contextmanager
def shown_stages(output: Output) -> Iterator[Callable[[str], None]]:
    """Show the present stage with its time in a terminal, and each in a line of its own elsewhere.

    How long a rewrite takes is not known before it is done, so there is no share to show.
    """
    if output.quiet or not output.error.is_terminal:
        yield output.remark
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=output.error, transient=True) as bar:

        def stage(name: str) -> None:
            for task in bar.task_ids:
                bar.stop_task(task)
            bar.add_task(name, total=None)

        yield stage


@contextmanager
def notices_on(output: Output) -> Iterator[None]:
    """Show the notices that are given inside as warnings of the command."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", Notice)
        others = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, Notice):
                output.warn(str(message))
            else:
                others(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield
