"""Granulation §6: reducts and dependency of attributes, which the paper leaves to future work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.datasets.adult import adult
from sfumato.papers.catalogue import reproduction
from sfumato.papers.granulation.fig_1 import example_study
from sfumato.papers.reproduced import Reproduced, ReproducedTable
from sfumato.risk.dependency.attribute_dependency import attribute_dependency

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.risk.dependency.attribute_dependency import AttributeDependency

ADULT_LEVELS: Mapping[str, int] = {
    "age": 5,
    "workclass": 2,
    "education": 2,
    "marital-status": 1,
    "race": 0,
    "sex": 0,
    "native-country": 3,
    "salary-class": 0,
}
"""A recoding between the ends, for the second table of Adult."""


@reproduction(
    "granulation-dependency",
    "Granulation §6 (future work): reducts and dependency of the attributes",
    runs=1,
)
def granulation_dependency(conditions: Conditions) -> Reproduced:
    """Return which columns can be dropped and what each tells, of the example and of Adult."""
    example = example_study("Health = 2").problem.table
    conditions.stage("counting Adult")
    table = adult(conditions.adult).problem.table
    found = {
        "the eleven people of fig. 1": attribute_dependency(example),
        "Adult, its values": attribute_dependency(table),
        f"Adult at {', '.join(f'{n} {level}' for n, level in ADULT_LEVELS.items())}": (
            attribute_dependency(table, ADULT_LEVELS)
        ),
    }
    return Reproduced(
        tables=(
            reducts_table(found),
            *(dependency_table(name, each) for name, each in found.items()),
        ),
        remarks=(
            "A reduct has the classes of all columns, and none of its columns can be dropped; the "
            "core is in every reduct (Pawlak 1991).",
            "γ is the share of the rows whose class has a single sensitive value. It grows with "
            "the number of classes whether or not the columns have to do with each other: with a "
            "class for each person it is 1.",
        ),
    )


def reducts_table(found: Mapping[str, AttributeDependency]) -> ReproducedTable:
    """Return the core and the reducts of every table."""
    return ReproducedTable(
        title="Cores and reducts of the quasi-identifiers",
        columns=(("table", ""), ("classes", ","), ("core", ""), ("reducts", "")),
        rows=tuple(
            (
                name,
                each.reducts.classes,
                ", ".join(each.reducts.core) or "empty",
                "; ".join(" + ".join(reduct) for reduct in each.reducts.reducts),
            )
            for name, each in found.items()
        ),
    )


def dependency_table(name: str, found: AttributeDependency) -> ReproducedTable:
    """Return what the quasi-identifiers tell of the sensitive columns: together, alone, without."""
    rows: list[tuple[Cell, ...]] = []
    for each in found.sensitive:
        rows.append(
            (each.sensitive, "all", each.together.dependency, each.together.share, None, None)
        )
        for column, alone, without in zip(
            found.reducts.columns, each.alone, each.without, strict=True
        ):
            rows.append(
                (
                    each.sensitive,
                    column,
                    alone.dependency,
                    alone.share,
                    each.together.dependency - without.dependency,
                    each.together.share - without.share,
                )
            )
    return ReproducedTable(
        title=f"Dependency, {name}",
        columns=(
            ("sensitive", ""),
            ("quasi-identifier", ""),
            ("γ alone", ".4f"),
            ("of the entropy", ".1%"),
            ("γ that goes without it", ".4f"),
            ("of the entropy ", ".1%"),
        ),
        rows=tuple(rows),
    )
