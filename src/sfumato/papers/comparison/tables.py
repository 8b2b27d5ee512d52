"""Comparison, Tables 1 to 3, fig. 1 and every number of §§1 to 5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.compare.catalogue import property_named
from sfumato.papers.catalogue import reproduction
from sfumato.papers.comparison.numbers import (
    CLASS_SIZES,
    OWN_VALUE_COUNTS,
    UTILITIES,
    paper_numbers,
    sizes,
    utilities,
)
from sfumato.papers.comparison.people import PEOPLE, by_person, generalized
from sfumato.papers.plot import BLUE, Plot
from sfumato.papers.reproduced import Cell, Reproduced, ReproducedTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sfumato.papers.reproduced import Conditions

TITLE = "Comparison Tables 1-3, fig. 1 and the numbers of §§1-5: ten people, three tables"

REMARKS = (
    "All printed values agree but one: in §5.3 the eighth entry of the 3-anonymous vector must be "
    "5. As printed, a class of size 5 has four rows, and P_spr would be 2 and 10.",
    "The utilities are those of §5.5 to two digits: 3 - Σ |block| / |different values|.",
    "That P_cov of 1 and 0 is the same as strong dominance (§5.2) holds in one direction only, and "
    "Table 4 misses sets with one property that are incomparable (docs/method.md).",
)


@reproduction("comparison-tables", TITLE, runs=1)
def comparison_tables(conditions: Conditions) -> Reproduced:  # noqa: ARG001 - nothing is random
    """Return the vectors of the ten people, and every number beside the printed one."""
    return Reproduced(
        tables=(_fig_1(), _other_vectors(), _numbers()),
        plots=(
            Plot(
                name="comparison-fig-1",
                title="Comparison fig. 1: the size of everybody's class",
                draw=_draw_fig_1,
                size=(9.5, 3.4),
            ),
        ),
        remarks=REMARKS,
    )


def _fig_1() -> ReproducedTable:
    columns: list[tuple[str, str]] = [("person", "")]
    found: list[tuple[Cell, ...]] = []
    for label, printed in CLASS_SIZES.items():
        columns += [(label, ","), (f"{label}, paper", ",")]
        found += [by_person(sizes(label)), printed]
    return ReproducedTable(
        title="Tables 1-3 and fig. 1: the size of everybody's class",
        columns=tuple(columns),
        rows=_rows(found),
    )


def _other_vectors() -> ReproducedTable:
    own = property_named("own-value-count").vector(generalized("T3a"))
    columns = [("person", ""), ("own value count, T3a", ","), ("paper", ",")]
    found: list[tuple[Cell, ...]] = [by_person(own), OWN_VALUE_COUNTS]
    for label, printed in UTILITIES.items():
        columns += [(f"utility, {label}", ".4f"), (f"utility, {label}, paper", ".2f")]
        found += [by_person(utilities(label)), printed]
    return ReproducedTable(
        title="§3 and §5.5: own values and utilities", columns=tuple(columns), rows=_rows(found)
    )


def _rows(columns: list[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    people = tuple(str(number) for number in range(1, len(PEOPLE) + 1))
    return tuple(zip(people, *columns, strict=True))


def _numbers() -> ReproducedTable:
    return ReproducedTable(
        title="§§1-5: every number",
        columns=(("section", ""), ("value", ""), ("ours", ".4g"), ("paper", ".4g"), ("note", "")),
        rows=tuple(
            (each.section, each.what, each.ours, each.paper, each.note) for each in paper_numbers()
        ),
    )


def _draw_fig_1(figure: Figure) -> None:
    people = range(1, len(PEOPLE) + 1)
    systems = figure.subplots(1, len(CLASS_SIZES), sharey=True)
    for axes, label in zip(systems, CLASS_SIZES, strict=True):
        axes.plot(people, by_person(sizes(label)), "o", color=BLUE, clip_on=False)
        axes.set(title=label, xlabel="person", xticks=people, ylim=(0, 8), yticks=range(9))
    systems[0].set_ylabel("class size")
