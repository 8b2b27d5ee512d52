"""A source as an engine sees it: SQL to select from, inside a session that runs queries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from sfumato.engines.sql.session import SqlSession

if TYPE_CHECKING:
    from sfumato.engines.sql.session import SqlDialect

SessionT_co = TypeVar("SessionT_co", bound=SqlSession, covariant=True)


@dataclass(frozen=True, kw_only=True)
class Relation:
    """SQL to select from, with the columns c0, c1, …, and the names that these really have."""

    sql: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class OpenedTable(Generic[SessionT_co]):
    """A relation and the session in which it can be queried; ``where`` names it in errors."""

    session: SessionT_co
    relation: Relation
    where: str

    @property
    def dialect(self) -> SqlDialect:
        """How the session spells SQL."""
        return self.session.dialect

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.relation.names

    @property
    def sql(self) -> str:
        """SQL to select from."""
        return self.relation.sql

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The engine's types of the columns."""
        types = self.session.types(f"SELECT * FROM {self.sql}")
        return dict(zip(self.names, (kind for _, kind in types), strict=True))

    def text(self, name: str, *, of: str = "") -> str:
        """Return the SQL of a column's text; ``of`` is the alias of the relation, with a dot."""
        return self.dialect.value_text(f"{of}c{self.names.index(name)}", self.kinds[name])

    def with_columns(
        self, sql: str, *, names: tuple[str, ...] | None = None
    ) -> OpenedTable[SessionT_co]:
        """Return a table of the same columns, or of others, that is selected otherwise."""
        named = self.names if names is None else names
        return replace(self, relation=replace(self.relation, sql=sql, names=named))
