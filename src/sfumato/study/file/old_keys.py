"""Keys of study files that have a new name: they are still read, with a notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.study.file.toml_text import key_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def with_new_keys(
    file: Path, document: dict[str, object]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return a document in which every key has its name of now, and a notice for each that had not.

    The document is changed.
    """
    notices = []
    for place, table, old, new in list(_old_keys(document)):
        if new in table:
            raise SettingsError(
                f"there are {old!r} and {new!r}, which is its new name",
                code="conflicting-settings",
                file=file,
                table=place,
                key=old,
                remedy=f"keep {new!r}",
            )
        renamed = {new if key == old else key: value for key, value in table.items()}
        table.clear()
        table.update(renamed)
        notices.append(f"{file}: {place} {old!r} is now called {new!r}; rename it")
    return document, tuple(notices)


def _old_keys(
    document: dict[str, object],
) -> Iterator[tuple[str, dict[str, object], str, str]]:
    """Yield where an old key is, the table that has it, its old and its new name."""
    if "secrets" in document:
        yield "the document", document, "secrets", "statements"
    engine = document.get("engine")
    if isinstance(engine, dict) and "most_combinations" in engine:
        yield "[engine]", engine, "most_combinations", "most-combinations"
    columns = document.get("columns")
    for name, column in columns.items() if isinstance(columns, dict) else ():
        if not isinstance(column, dict):
            continue
        place = f"[columns.{key_text(name)}]"
        if "floor" in column:
            yield place, column, "floor", "minimum-level"
        partitions = column.get("partitions")
        listed = partitions if isinstance(partitions, list) else []
        for each in (column.get("hierarchy"), *listed):
            if isinstance(each, dict) and "granule" in each:
                yield f"{place} hierarchy", each, "granule", "unit"
