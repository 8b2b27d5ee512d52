"""The sensitive column that a measure or a property of a single one is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.errors.listing import listed
from sfumato.errors.suggestions import closest

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountedColumn, CountTable


def sensitive_columns(table: CountTable, *, asker: str) -> dict[str, CountedColumn]:
    """Return the sensitive columns by name; refuse a table without any.

    ``asker`` is what an error calls the one who needs them: "measure 't'".
    """
    if not table.sensitive:
        raise SettingsError(
            f"{asker} needs a sensitive column and the study has none",
            code="no-sensitive-column",
            remedy="give a column the role 'sensitive'",
        )
    return {column.name: column for column in table.sensitive}


def sensitive_column(
    table: CountTable, name: str | None, *, asker: str, example: str
) -> CountedColumn:
    """Return the sensitive column of a name; without a name, the only one.

    ``example`` is the name of the measure or property, to show how a column is named.
    """
    columns = sensitive_columns(table, asker=asker)
    names = tuple(columns)
    if name is None and len(names) > 1:
        raise SettingsError(
            f"{asker} is about one sensitive column and the study has {len(names)}: "
            f"{listed(names)}",
            code="several-sensitive-columns",
            found=listed(names),
            remedy=f"name it: {example}(column={names[0]})",
        )
    if name is not None and name not in columns:
        raise SettingsError(
            f"{asker} names the column {name!r}, which is not sensitive",
            code="not-sensitive",
            column=name,
            found=repr(name),
            expected=names,
            suggestion=closest(name, names),
        )
    return columns[names[0] if name is None else name]
