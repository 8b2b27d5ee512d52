"""What a publisher could have instead of a choice, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.solution_table import show_solutions, solution_record
from sfumato.errors import SettingsError
from sfumato.front.decisions.metric import metric_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.cli.output import Output
    from sfumato.front.decisions.alternatives import Alternatives, Tolerance
    from sfumato.front.front import Front, Solution
    from sfumato.study.runs.run import Run

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
                f"--instead-of {text!r} is not understood; give the id of a solution, as in 7, or "
                "the metrics that you wish for, as in 'k=5,normalized-loss=0.3'"
            ) from None
    return wished


def show_alternatives(
    output: Output, run: Run, found: Alternatives, tolerance: Tolerance, columns: Sequence[str]
) -> None:
    """Show what there is instead, the best of each kind first."""
    chosen = ", ".join(
        f"{name} = {metric_named(name).written(value)}" for name, value in found.chosen.items()
    )
    output.show(f"Instead of {chosen}:")
    named = "" if len(found.chosen) == len(run.result.front.objectives) else " that you named"
    for what, solutions in (
        (f"Better in something and worse in nothing{named}", found.at_no_cost),
        (f"More privacy, for at most {100 * tolerance.loss:g} % more loss", found.more_privacy),
        (f"Less loss, for at most {100 * tolerance.privacy:g} % less privacy", found.less_loss),
    ):
        if not solutions:
            output.show(f"\n{what}: nothing.")
            continue
        shown = solutions[:MOST_SHOWN]
        more = (
            f", the first {len(shown)} of {len(solutions)}" if len(shown) < len(solutions) else ""
        )
        output.show(f"\n{what}{more}:")
        show_solutions(output, run, shown, columns)
    region = found.region
    if region is not None:
        name, loss = region.privacy.name, region.loss
        start, end = (
            region.privacy.written(each.values[name]) for each in (region.start, region.end)
        )
        low, high = (loss.written(each.values[loss.name]) for each in (region.start, region.end))
        output.show(
            f"\nIt lies in a flat region: from {name} = {start} (solution {region.start.id}) to "
            f"{name} = {end} (solution {region.end.id}) the {loss.name} goes from {low} to {high}."
        )


def alternatives_record(found: Alternatives) -> dict[str, object]:
    """Return the same as ``--json`` shows it."""
    return {
        "chosen": dict(found.chosen),
        "at_no_cost": [solution_record(each) for each in found.at_no_cost],
        "more_privacy": [solution_record(each) for each in found.more_privacy],
        "less_loss": [solution_record(each) for each in found.less_loss],
        "flat_region": None
        if found.region is None
        else {"start": found.region.start.id, "end": found.region.end.id},
    }
