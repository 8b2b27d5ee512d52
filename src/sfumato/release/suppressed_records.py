"""What the publisher knows of the suppressed rows: enough to measure the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.classes.anonymization import Anonymization


@dataclass(frozen=True, kw_only=True)
class SuppressedRecord:
    """Suppressed rows that have the same sensitive values and satisfy the same statements.

    ``values`` has the sensitive columns and the class label. ``satisfies`` says of every predicate
    whether these rows satisfy it, ``applies`` of every rule whether it is about them, ``damages``
    what it costs them if a predicate is inferred.
    """

    values: tuple[str, ...]
    rows: int
    satisfies: tuple[bool, ...] = ()
    applies: tuple[bool, ...] = ()
    damages: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SuppressedStatement:
    """Of the suppressed rows, those that satisfy a predicate, and the sum of dm(u, φ)."""

    satisfied: int
    damage: float


@dataclass(frozen=True, kw_only=True)
class SuppressedRecords:
    """The suppressed rows of a release, without their quasi-identifiers: one class of their own.

    ``class_sizes`` says how many classes of which size were suppressed, ``columns`` and
    ``predicates`` what the records are about.
    """

    columns: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    class_sizes: Mapping[int, int]
    records: tuple[SuppressedRecord, ...]

    @classmethod
    def of(cls, anonymization: Anonymization, class_sizes: Mapping[int, int]) -> SuppressedRecords:
        """Return the suppressed rows of an anonymization of the source's own count table."""
        table = anonymization.table
        gone = anonymization.suppressed
        codes, which = np.unique(table.entry_codes[:, gone], axis=1, return_inverse=True)
        rows = np.zeros(codes.shape[1], dtype=np.int64)
        np.add.at(rows, which.ravel(), table.entry_counts[gone])
        texts = [column.values for column in table.columns.values()]
        statements = table.statements
        records = []
        for combination, count in zip(codes.T.tolist(), rows.tolist(), strict=True):
            values = tuple(of[code] for of, code in zip(texts, combination, strict=False))
            if statements is None:
                records.append(SuppressedRecord(values=values, rows=count))
                continue
            pattern = combination[-1]
            records.append(
                SuppressedRecord(
                    values=values,
                    rows=count,
                    satisfies=tuple(statements.satisfied[pattern].tolist()),
                    applies=tuple(statements.applying[pattern].tolist()),
                    damages=tuple(statements.damages[pattern].tolist()),
                )
            )
        return cls(
            columns=tuple(table.columns),
            predicates=()
            if statements is None
            else tuple(str(each) for each in statements.statements.predicates),
            class_sizes=dict(class_sizes),
            records=tuple(records),
        )

    @cached_property
    def rows(self) -> int:
        """The number of suppressed rows."""
        return sum(size * classes for size, classes in self.class_sizes.items())

    @property
    def classes(self) -> int:
        """The number of suppressed classes."""
        return sum(self.class_sizes.values())

    @property
    def squares(self) -> int:
        """Σ |class|² over the suppressed classes."""
        return sum(size * size * classes for size, classes in self.class_sizes.items())

    @cached_property
    def values(self) -> dict[str, dict[str, int]]:
        """The rows of every value of every sensitive column and of the class label."""
        found: dict[str, dict[str, int]] = {name: {} for name in self.columns}
        for record in self.records:
            for name, value in zip(self.columns, record.values, strict=True):
                found[name][value] = found[name].get(value, 0) + record.rows
        return found

    @cached_property
    def statements(self) -> dict[str, SuppressedStatement]:
        """What is known of every predicate that somebody protects."""
        return {
            predicate: SuppressedStatement(
                satisfied=sum(r.rows for r in self.records if r.satisfies[position]),
                damage=sum(r.rows * r.damages[position] for r in self.records),
            )
            for position, predicate in enumerate(self.predicates)
        }
