"""A progress bar for searches in a terminal or a notebook."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from sfumato.search.result import Listener, Progress


@contextmanager
def progress_bar(*, console: Console | None = None) -> Iterator[Listener]:
    """Show how far a search is: recodings settled (or steps done), evaluated, and the front.

        with sf.progress_bar() as listener:
            result = study.search(listener=listener)

    It is drawn on stderr unless a console is given, and disappears when the search is over.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("searching"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(
            "{task.fields[what]}, {task.fields[evaluated]:,} evaluated, "
            "front of {task.fields[front]:,}{task.fields[volume]}"
        ),
        TimeElapsedColumn(),
        console=console or Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(
            "search", total=None, what="recodings settled", evaluated=0, front=0, volume=""
        )

        def listener(progress: Progress) -> None:
            steps = progress.steps
            bar.update(
                task,
                total=progress.nodes if steps is None else steps.total,
                completed=progress.settled if steps is None else steps.done,
                what="recodings settled" if steps is None else steps.name,
                evaluated=progress.evaluated,
                front=progress.front_size,
                volume=_volume(progress),
            )

        yield listener


def _volume(progress: Progress) -> str:
    """Return the share of the objective space that the front dominates, where a search tells it."""
    if progress.hypervolume is None:
        return ""
    return f", hypervolume {progress.hypervolume:.3f}"
