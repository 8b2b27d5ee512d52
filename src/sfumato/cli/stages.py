"""What a long command is doing, shown while it does it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.cli.output import Output


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
