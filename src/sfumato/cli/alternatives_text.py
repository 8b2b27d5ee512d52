"""What a publisher could have instead of a choice, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.solution_table import show_solutions
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.cli.output import Output
    from sfumato.front.front import Front, Solution
    from sfumato.views.run.alternatives_view import AlternativesView

MOST_SHOWN = 5


def read_choice(text: str, front: Front) -> Solution | dict[str, float]:
    """Return the solution of an id, or the metrics that are wished for: ``k=5,loss=0.3``."""
    if text.strip().isdigit():
        return front[int(text)]
    wished: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = part.partition("=")
        try:
            if not equals:
                raise ValueError
            wished[name.strip()] = float(number)
        except ValueError:
            raise SettingsError(
                code="not-a-choice",
                key="--instead-of",
                found=repr(text),
                expected="the id of a solution, like 7, or the metrics that you wish for, like "
                "'k=5,normalized-loss=0.3'",
            ) from None
    return wished


def show_alternatives(output: Output, found: AlternativesView, metrics: Sequence[str]) -> None:
    """Show what there is instead, the best of each kind first."""
    output.show(f"Instead of {found.choice}:")
    named = " that you named" if found.partial else ""
    loss, privacy = (100 * share for share in (found.tolerance.loss, found.tolerance.privacy))
    for what, solutions in (
        (f"Better in something and worse in nothing{named}", found.at_no_cost),
        (f"More privacy, for at most {loss:g} % more loss", found.more_privacy),
        (f"Less loss, for at most {privacy:g} % less privacy", found.less_loss),
    ):
        if not solutions:
            output.show(f"\n{what}: nothing.")
            continue
        shown = solutions[:MOST_SHOWN]
        more = (
            f", the first {len(shown)} of {len(solutions)}" if len(shown) < len(solutions) else ""
        )
        output.show(f"\n{what}{more}:")
        show_solutions(output, shown, metrics, thresholds=found.every_threshold)
    if found.flat_region is not None:
        output.show(f"\nIt lies in a flat region: {found.flat_region.text}.")
