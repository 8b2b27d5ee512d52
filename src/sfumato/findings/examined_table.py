"""A table with the study that it is released by: what findings are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.engines.engine import Engine
    from sfumato.engines.messages.column_facts import TableFacts, UniqueRows
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.recoding import Recoding
    from sfumato.sources.source import Source

MOST_GROUPS = 1 << 26
"""Up to so many groups, if every row were one, rows that are alone are counted one and all."""

DRAWN_GROUPS = 1 << 24


@dataclass(frozen=True, kw_only=True, eq=False)
class ExaminedTable:
    """The rows of a source, and what a study makes of them.

    ``columns`` are those of the source. ``table`` has its counts, None where there are none, as
    in an audit of a table that others made. Values that ``coarser`` lists are released as others.
    ``recoding`` and ``threshold`` are those that were chosen, None before. ``formulas_run`` says
    that the release is a text file whose cells are not escaped. ``proposed`` says that nothing is
    decided yet: roles are proposals, and identifying columns are looked into as well. What an
    engine counts is asked for once, when a kind needs it.
    """

    source: Source
    engine: Engine
    columns: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    missing: MissingValues
    suppression: Suppression
    table: CountTable | None = None
    coarser: CoarserValues = field(default_factory=dict)
    recoding: Recoding | None = None
    threshold: int | None = None
    formulas_run: bool = True
    proposed: bool = False

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """The role of every column that there is; those that are not listed are insensitive."""
        given = {attribute.name: attribute.role for attribute in self.attributes}
        return {name: given.get(name, Role.INSENSITIVE) for name in self.columns}

    def listed(self, name: str) -> bool:
        """Say whether the study gives a column a role."""
        return any(attribute.name == name for attribute in self.attributes)

    @property
    def payload(self) -> tuple[str, ...]:
        """The columns that are released beside the quasi-identifiers."""
        passed_on = (Role.SENSITIVE, Role.INSENSITIVE)
        return tuple(name for name, role in self.roles.items() if role in passed_on)

    @cached_property
    def facts(self) -> TableFacts:
        """What the cells of all columns look like, as they are released."""
        identifying = [name for name, role in self.roles.items() if role is Role.IDENTIFYING]
        return self.engine.facts(
            self.source,
            self.columns,
            coarser=self.coarser,
            counted={} if self.table is None else self.table.texts,
            outlined=() if self.proposed else identifying,
        )

    def unique_rows(
        self, sets: Sequence[tuple[str, ...]], *, released: bool
    ) -> tuple[UniqueRows, ...]:
        """Count the rows that are alone with their values, as they are in the source or released.

        Of very many rows a part of the values is drawn, with all rows of each, so that memory and
        disk are bounded: shares are then estimates.
        """
        groups = self.facts.rows * len(sets)
        return self.engine.unique_rows(
            self.source,
            sets,
            coarser=self.coarser if released else None,
            one_in=1 if groups <= MOST_GROUPS else -(-groups // DRAWN_GROUPS),
        )
