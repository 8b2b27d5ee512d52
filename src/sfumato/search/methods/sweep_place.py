"""Where a sweep was stopped: the last part that it has finished, and what it has kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sfumato.search.kept_record import kept_points, kept_record
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.search.points import Points
    from sfumato.search.problem import Problem


def sweep_record(kept: Points, last: tuple[int, ...]) -> dict[str, object]:
    """Return the place of a sweep as JSON has it; parts come in a fixed order."""
    return {"last": list(last), "kept": kept_record(kept)}


def resumed_sweep(
    problem: Problem, record: Mapping[str, object], parts: Sequence[tuple[int, ...]]
) -> tuple[Points, int]:
    """Return what is kept and how many parts are finished, or refuse a record that was changed."""
    known = cast("Mapping[str, Any]", record)
    with reading_state():
        finished = parts.index(tuple(known["last"])) + 1
        if finished == len(parts):
            raise ValueError("nothing is left of the sweep")
        return kept_points(problem, known["kept"]), finished
