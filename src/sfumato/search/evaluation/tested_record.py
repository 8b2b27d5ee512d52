"""What a stopped search for minimal recodings has tested, as its state has it.

The search is run again with these answers, which it asks for in the same order as before: nothing
is tested twice, and it goes on where they end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sfumato.search.kept_record import recorded_choice
from sfumato.search.resuming import reading_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.recoding.admissible_space import Choice
    from sfumato.search.problem import Problem


def answers_record(answers: Mapping[Choice, bool]) -> dict[str, object]:
    """Return the recodings that meet the criteria, and those that fail."""
    return {
        "meet": [list(choice) for choice, meets in answers.items() if meets],
        "fail": [list(choice) for choice, meets in answers.items() if not meets],
    }


def resumed_answers(
    problem: Problem, record: Mapping[str, object] | None
) -> dict[Choice, bool] | None:
    """Return the answers of a record, None if there is none; refuse one that was changed."""
    if record is None:
        return None
    known = cast("Mapping[str, Any]", record)
    with reading_state():
        return {
            recorded_choice(problem, each): meets
            for key, meets in (("meet", True), ("fail", False))
            for each in known[key]
        }
