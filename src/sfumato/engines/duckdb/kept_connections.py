"""Connections that a command uses again: connecting takes longer than many of its queries.

A connection may read and write certain files and nothing else, and that cannot be changed later.
So one is used again only for the very files and settings that it was made for. Its users get a
cursor each, with temporary tables of its own, and one that failed is not used again.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from contextlib import AbstractContextManager

    import duckdb

    Connect = Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]


@dataclass(frozen=True, eq=False)
class _Scope:
    """The connections that nobody uses at the moment, and what closes all of them."""

    free: dict[Hashable, list[duckdb.DuckDBPyConnection]] = field(default_factory=dict)
    closing: ExitStack = field(default_factory=ExitStack)


_SCOPES: ContextVar[tuple[_Scope, ...]] = ContextVar("scopes", default=())


@contextmanager
def connections_kept() -> Iterator[None]:
    """Keep connections to the end of the block, where all that were made in it are closed."""
    scope = _Scope()
    token = _SCOPES.set((*_SCOPES.get(), scope))
    try:
        with scope.closing:
            yield
    finally:
        _SCOPES.reset(token)


@contextmanager
def kept(key: Hashable, connect: Connect) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a connection for a key: one that was kept, or what ``connect`` makes."""
    scopes = _SCOPES.get()
    if not scopes:
        with connect() as connection:
            yield connection
        return
    scope = next((each for each in reversed(scopes) if each.free.get(key)), scopes[-1])
    waiting = scope.free.setdefault(key, [])
    connection = waiting.pop() if waiting else scope.closing.enter_context(connect())
    cursor = connection.cursor()
    try:
        yield cursor
        # Attached databases are those of all cursors.
        cursor.execute("DETACH DATABASE IF EXISTS origin")
    except BaseException:
        cursor.close()
        connection.close()
        raise
    cursor.close()
    waiting.append(connection)
