"""Columns that single out rows by what is released beside the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors.listing import counted, listed
from sfumato.findings.finding import Finding, Severity
from sfumato.findings.finding_kind import FindingKind
from sfumato.findings.identifiers import identifier_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.engines.messages.column_facts import TableFacts
    from sfumato.findings.examined_table import ExaminedTable

LEAST_SHARE = 0.01
"""From this share of rows on that are alone with their values, columns are a finding."""

GRAVE_SHARE = 0.05
MOST_COLUMNS = 3
MOST_ESTIMATED = 60
MOST_COUNTED = 8
_SKETCH_ERROR = 0.9


@dataclass(frozen=True, kw_only=True)
class SingledOutRows(FindingKind):
    """One, two or three released columns whose values many rows have alone.

    Of d combinations in n rows at most d rows are alone, so that sketches rule out most sets of
    columns; rows that are alone are then counted exactly in the sets with the most combinations.
    Sets that contain a reported one are not reported again. Quasi-identifiers are left out: what
    they tell is what k measures.
    """

    name: ClassVar[str] = "singled-out-rows"
    order: ClassVar[int] = 30

    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return the sets of columns, smaller ones first, then by their rows."""
        facts = examined.facts
        columns = [
            name for name in examined.payload if identifier_reason(facts.columns[name]) is None
        ]
        reported: list[frozenset[str]] = []
        for sets in self._stages(examined, columns, reported):
            counted_sets = self._most_telling(examined, sets)
            if not counted_sets:
                continue
            unique = examined.unique_rows(counted_sets, released=True)
            alone = [round(each.rows * facts.rows / max(1, each.of)) for each in unique]
            for names, rows in sorted(
                zip(counted_sets, alone, strict=True), key=lambda each: -each[1]
            ):
                if rows >= max(1, LEAST_SHARE * facts.rows):
                    reported.append(frozenset(names))
                    yield self._finding(names, rows, facts.rows)

    def _stages(
        self, examined: ExaminedTable, columns: Sequence[str], reported: list[frozenset[str]]
    ) -> Iterator[list[tuple[str, ...]]]:
        """Yield single columns, then pairs, then triples, none that holds a reported set."""
        facts = examined.facts
        for size in range(1, MOST_COLUMNS + 1):
            possible = [
                names
                for names in combinations(columns, size)
                if not any(before <= frozenset(names) for before in reported)
                and _most_combinations(facts, names) >= LEAST_SHARE * facts.rows
            ]
            possible.sort(key=lambda names: -_most_combinations(facts, names))
            yield possible if size == 1 else possible[:MOST_ESTIMATED]

    def _most_telling(
        self, examined: ExaminedTable, sets: Sequence[tuple[str, ...]]
    ) -> list[tuple[str, ...]]:
        """Return the sets that can have enough rows alone, those with the most combinations."""
        facts = examined.facts
        if not sets:
            return []
        if len(sets[0]) == 1:
            about = [facts.columns[name].distinct for (name,) in sets]
        else:
            about = list(
                examined.engine.about_distinct(examined.source, sets, coarser=examined.coarser)
            )
        least = _SKETCH_ERROR * LEAST_SHARE * facts.rows
        able = [
            (names, distinct)
            for names, distinct in zip(sets, about, strict=True)
            if distinct >= least
        ]
        able.sort(key=lambda each: -each[1])
        return [names for names, _ in able[:MOST_COUNTED]]

    def _finding(self, names: tuple[str, ...], alone: int, rows: int) -> Finding:
        share = alone / rows
        what = f"column {names[0]!r} has" if len(names) == 1 else f"columns {listed(names)} have"
        return Finding(
            code=self.name,
            severity=Severity.WARNING if share >= GRAVE_SHARE else Severity.NOTICE,
            columns=names,
            counts={"rows": alone, "of": rows, "share": share},
            message=f"{what} values that single out {counted(alone, 'row')} ({share:.1%}): who "
            "knows them finds the person, whatever k is",
            remedy="round, cap or shorten the values (round, top, bottom, unit of the column), "
            "make a column quasi-identifying, or leave it out",
        )


def _most_combinations(facts: TableFacts, names: Sequence[str]) -> int:
    """Return how many combinations the values of columns can have at most, missing ones too."""
    return prod(facts.columns[name].distinct + 1 for name in names)
