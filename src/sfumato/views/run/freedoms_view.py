"""What each freedom of recoding buys at the same k, and what it costs the analyst."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.trade_off import round_counts
from sfumato.recoding.recoding import FREEDOMS
from sfumato.views.run.loss_bound import bound_at
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from sfumato.study.runs.run import Run

COSTS = {
    "global": "every value has one label in the whole file, a level of its hierarchy",
    "partitions": "every value has one label in the whole file, but no level of a hierarchy: codes "
    "are those of this release",
    "local": "labels differ from class to class and overlap, so that an analyst must read every "
    "label as a set of values",
}
"""What an analyst has to live with, by freedom."""
RECODINGS = {
    "global": "global recodings",
    "partitions": "partitions of columns",
    "local": "local recodings",
}
"""What texts call the recodings of a freedom."""
MOST_MARKS = 8


@dataclass(frozen=True, kw_only=True)
class FreedomView:
    """A freedom: its solutions, whether they are exact, and its least loss at every mark of k.

    A recoding with less freedom is also one with more, so ``losses`` never rise from one freedom to
    the next; None where nothing reaches the k.
    """

    freedom: str
    solutions: int
    exact: bool
    method: str
    costs: str
    losses: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class FreedomsView:
    """The least normalized loss at several k, by freedom, from the least k that is required on.

    ``bounds`` has what no local recoding can lose less than at these k, where it is known.
    """

    marks: tuple[int, ...]
    freedoms: tuple[FreedomView, ...]
    bounds: tuple[float | None, ...] | None
    text: str


def freedoms_view(run: Run) -> FreedomsView | None:
    """Return what the freedoms of a search of several spaces lose, None for one space."""
    spaces = {each.freedom: each for each in run.result.spaces}
    if not spaces:
        return None
    reached = [(s.freedom, run.details[s.id].metrics) for s in run.result.front]
    most = max((metrics["k"] for _, metrics in reached), default=0.0)
    marks = _marks(most, run.study_file.study.policy.least_size)
    found: list[FreedomView] = []
    for freedom in FREEDOMS:
        if freedom not in spaces:
            continue
        allowed = FREEDOMS[: FREEDOMS.index(freedom) + 1]
        losses = [(m["k"], m["normalized-loss"]) for used, m in reached if used in allowed]
        found.append(
            FreedomView(
                freedom=freedom,
                solutions=sum(used == freedom for used, _ in reached),
                exact=spaces[freedom].exact,
                method=spaces[freedom].method,
                costs=COSTS[freedom],
                losses=tuple(
                    min((loss for k, loss in losses if k >= mark), default=None) for mark in marks
                ),
            )
        )
    known = [bound_at(run.result.loss_bounds, mark) for mark in marks]
    return FreedomsView(
        marks=tuple(marks),
        freedoms=tuple(found),
        bounds=tuple(None if each is None else each[1] for each in known) if any(known) else None,
        text=_text(marks, found),
    )


def _marks(most: float, required: int) -> list[int]:
    """Return the k at which losses are compared: none below what every class must have."""
    above = [int(mark) for mark in round_counts(most) if mark > required]
    return [*([required] if 1 < required <= most else []), *above][:MOST_MARKS]


def _text(marks: list[int], freedoms: list[FreedomView]) -> str:
    """Say what the freedoms buy at k = 5 or the mark next to it, and what the last costs."""
    most = freedoms[-1]
    place = next((p for p, mark in enumerate(marks) if mark >= 5), len(marks) - 1)
    if place < 0:
        return f"With {RECODINGS[most.freedom]}, {most.costs}."
    losses = ", ".join(
        f"{share_text(loss, 1)} with {RECODINGS[each.freedom]}"
        for each in freedoms
        if (loss := each.losses[place]) is not None
    )
    return (
        f"At k ≥ {marks[place]} the least loss is {losses}. "
        f"With {RECODINGS[most.freedom]}, {most.costs}."
    )


def exactness(run: Run) -> str:
    """Return whether the front is proved to be the exact one, by freedom if there are several."""
    spaces = run.result.spaces
    if run.result.exact or not spaces:
        return "exact" if run.result.exact else "not proved exact"
    proved = [RECODINGS[each.freedom] for each in spaces if each.exact]
    others = [RECODINGS[each.freedom] for each in spaces if not each.exact]
    if not proved:
        return "not proved exact"
    return f"exact among {' and '.join(proved)}, not proved exact among {' and '.join(others)}"
