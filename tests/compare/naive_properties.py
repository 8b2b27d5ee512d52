"""All properties row by row from their definitions, on the naive tables of tests/measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from tests.measures.naive import NaiveCandidate, NaiveIdentifier, NaiveSensitive, Row, distance
from tests.measures.naive_statements import NaiveStatement, prior_shares, risk, satisfies, text_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Member:
    """A row of a class, or of the suppressed rows."""

    candidate: NaiveCandidate
    row: Row
    together: Sequence[Row]

    def cell_loss(self, q: NaiveIdentifier, *, share: bool) -> Fraction:
        """Return what one cell loses; everything if the row is suppressed."""
        if any(self.row is gone for gone in self.candidate.suppressed):
            return Fraction(1)
        label_of = self.candidate.recoding[q.name]
        block = sum(label_of[value] == label_of[self.row[q.name]] for value in q.domain)
        if share:
            return Fraction(block, len(q.domain))
        return Fraction(block - 1, max(1, len(q.domain) - 1))

    def loss(self, *, share: bool = False) -> Fraction:
        identifiers = self.candidate.table.identifiers
        cells = (q.weight * self.cell_loss(q, share=share) for q in identifiers)
        return sum(cells, Fraction(0))

    def utility(self, *, share: bool = False) -> Fraction:
        whole = sum((q.weight for q in self.candidate.table.identifiers), Fraction(0))
        return whole - self.loss(share=share)

    def own_count(self, column: str) -> Fraction:
        return Fraction(sum(other[column] == self.row[column] for other in self.together))

    def risk(self) -> Fraction:
        table = self.candidate.table
        priors = prior_shares(table.rows, table.statements)
        return Fraction(risk(self.row, self.together, priors, table.statements))


Formula: TypeAlias = Callable[[Member], Fraction]


def naive_properties(candidate: NaiveCandidate) -> Mapping[str, Formula]:
    """Return the naive properties by the text of the real ones."""
    found: dict[str, Formula] = {
        "class-size": lambda member: Fraction(len(member.together)),
        "breach-probability": lambda member: Fraction(1, len(member.together)),
        "row-loss": lambda member: member.loss(),
        "row-loss(cell=share)": lambda member: member.loss(share=True),
        "row-utility": lambda member: member.utility(),
        "row-utility(cell=share)": lambda member: member.utility(share=True),
        "statement-risk": lambda member: member.risk(),
    }
    for column in candidate.table.sensitive:
        alone = len(candidate.table.sensitive) == 1
        found |= _of_column(column, "" if alone else f"(column={column.name})")
    return found


def _of_column(column: NaiveSensitive, said: str) -> dict[str, Formula]:
    return {
        f"own-value-count{said}": lambda member: member.own_count(column.name),
        f"own-value-share{said}": lambda member: (
            member.own_count(column.name) / len(member.together)
        ),
        f"sensitive-distance{said}": lambda member: distance(
            column, member.together, member.candidate.table
        ),
    }


def naive_vector(candidate: NaiveCandidate, formula: Formula) -> list[Fraction]:
    """Return a property of every row of the table, in the order of the rows."""
    by_row: dict[int, Fraction] = {}
    for together in (*candidate.kept, candidate.suppressed):
        for row in together:
            by_row[id(row)] = formula(Member(candidate=candidate, row=row, together=together))
    return [by_row[id(row)] for row in candidate.table.rows]


def entries_of_rows(
    table: CountTable, rows: Sequence[Row], statements: Sequence[NaiveStatement]
) -> NDArray[np.int64]:
    """Return the entry of the count table that every row was counted in."""
    assert table.statements is not None
    patterns = np.concatenate(
        (table.statements.satisfied, table.statements.applying), axis=1
    ).tolist()
    place = {}
    starts = table.entry_starts
    for cell in range(table.cells):
        leaves = tuple(int(code) for code in table.cell_codes[:, cell])
        for entry in range(int(starts[cell]), int(starts[cell + 1])):
            values = tuple(
                column.values[table.entry_codes[position, entry]]
                for position, column in enumerate(table.columns.values())
            )
            place[leaves, values, tuple(patterns[table.entry_codes[-1, entry]])] = entry
    sentences = {text_of(each.protect): each.protect for each in statements}
    found = []
    for row in rows:
        leaves = tuple(q.leaf_of_value[row[q.name]] for q in table.quasi_identifiers)
        pattern = [satisfies(row, sentence) for sentence in sentences.values()]
        pattern += [each.where is None or satisfies(row, each.where) for each in statements]
        found.append(place[leaves, tuple(row[name] for name in table.columns), tuple(pattern)])
    return np.array(found)
