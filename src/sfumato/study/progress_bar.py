"""A progress bar for searches in a terminal or a notebook."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import Task

    from sfumato.search.result import Progress

BAR, SHORT_BAR, WIDE = 20, 8, 110
"""The width of the bar in characters; it is the short one in terminals that are not wide."""
SPEED_OVER = 120
"""Over how many seconds the speed of a search is measured, to say how long it takes yet."""


@dataclass(kw_only=True, eq=False)
class ProgressBar:
    """A bar that listens to a search; `stage` names what is done before and after it."""

    bar: Bar
    began: float
    named: str = ""

    def __call__(self, progress: Progress) -> None:
        """Show how far a search is."""
        steps = progress.steps
        total = progress.nodes if steps is None else steps.total
        done = progress.settled if steps is None else steps.done
        self._begin(f"searching {progress.phase}".strip(), done=done, total=total)
        what = "recodings settled" if steps is None else steps.name
        self.bar.update(
            self.bar.task_ids[0],
            completed=done,
            found=f"{done:,}/{total:,} {what}, {progress.evaluated:,} evaluated, "
            f"front of {progress.front_size:,}{_volume(progress)}",
        )

    def stage(self, name: str) -> None:
        """Show a stage of which nobody knows how long it takes."""
        self._begin(name)

    def _begin(self, name: str, *, done: int = 0, total: int | None = None) -> None:
        """Begin to count anew where another phase begins; the time goes on.

        What a search that is resumed had ``done`` before says nothing about its speed.
        """
        if name == self.named:
            return
        self.named = name
        for task in self.bar.task_ids:
            self.bar.remove_task(task)
        self.bar.add_task(name, total=total, completed=done, found="", began=self.began)


@contextmanager
def progress_bar(*, console: Console | None = None) -> Iterator[ProgressBar]:
    """Show how far a search is: its phase, recodings settled (or steps done), and the front.

        with sf.progress_bar() as listener:
            result = study.search(listener=listener)

    Beside it are the time since it began and about how long the phase that is running takes yet.
    It is drawn on stderr unless a console is given, and disappears when the search is over.
    """
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, TextColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    shown_on = console or Console(stderr=True)
    bar_width = BAR if shown_on.width >= WIDE else SHORT_BAR

    class Found(ProgressColumn):
        """What was found, as far as there is room: the times must never be cut."""

        def render(self, task: Task) -> Text:
            """Return the text, or its beginning."""
            room = shown_on.width - len(task.description) - bar_width - len(_times(task)) - 4
            text = Text(str(task.fields["found"]))
            text.truncate(max(0, room), overflow="ellipsis")
            return text

    class Times(ProgressColumn):
        """The time since the first phase began, and what is left of this one."""

        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            """Return both times."""
            return Text(_times(task), style="progress.elapsed")

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=bar_width),
        Times(),
        Found(),
        console=shown_on,
        transient=True,
        speed_estimate_period=SPEED_OVER,
    ) as bar:
        yield ProgressBar(bar=bar, began=bar.get_time())


def _times(task: Task) -> str:
    """Return the time that has passed, and about how long this phase takes yet if that is known."""
    passed = f"{_time(task.get_time() - task.fields['began'])} passed"
    left = task.time_remaining
    return passed if not left or task.total is None else f"{passed}, about {_time(left)} left"


def _time(seconds: float) -> str:
    """Return a time as clocks have it.

    >>> _time(75), _time(3_700)
    ('1:15', '1:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _volume(progress: Progress) -> str:
    """Return the share of the objective space that the front dominates, where a search tells it."""
    if progress.hypervolume is None:
        return ""
    return f", hypervolume {progress.hypervolume:.3f}"
