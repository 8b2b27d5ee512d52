"""A source as an engine sees it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Relation:
    """SQL to select from, with the columns c0, c1, …, and the names that these really have."""

    sql: str
    names: tuple[str, ...]
