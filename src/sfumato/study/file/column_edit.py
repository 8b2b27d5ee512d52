"""What a change of a column's role changes in a study file: also the keys that go with a role."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from sfumato.microdata.roles import Role
from sfumato.study.file.column_table import COLUMN_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.file.toml_text import TomlValue

Change = tuple[tuple[str, ...], "TomlValue | None"]


def role_changes(
    text: str, column: str, role: Role, *, hierarchy: Mapping[str, TomlValue]
) -> tuple[Change, ...]:
    r"""Return the changes that give a column a role.

    Keys that the role does not have are taken out; a column that becomes quasi-identifying gets
    the ``hierarchy``.

    >>> changes = role_changes('[columns.age]\\nrole = "quasi-identifying"\\nhierarchy = "a.csv"',
    ...                        "age", Role.SENSITIVE, hierarchy={"flat": True})
    >>> changes[0], changes[1]
    ((('columns', 'age', 'role'), 'sensitive'), (('columns', 'age', 'hierarchy'), None))
    """
    columns = tomllib.loads(text).get("columns", {})
    there = columns.get(column, {})
    allowed = set(COLUMN_TABLES[role.value].key_names())
    gone = tuple((("columns", column, key), None) for key in there if key not in allowed)
    changes: tuple[Change, ...] = ((("columns", column, "role"), role.value), *gone)
    if role is Role.QUASI_IDENTIFYING and not {"hierarchy", "partitions"} & there.keys():
        changes = (*changes, (("columns", column, "hierarchy"), hierarchy))
    return changes


def person_change(column: str, *, person: bool) -> tuple[Change, ...]:
    """Return the change that makes a column part of the person key, or takes it out."""
    return ((("columns", column, "person"), True if person else None),)
