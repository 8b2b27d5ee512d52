"""The tables ``[[statements]]`` of a study file: what people protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.microdata.statement_check import check_roles
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements
from sfumato.statements.predicate_parser import predicate
from sfumato.study.file.study_keys import StudyTable, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.microdata.roles import Attribute

STATEMENT_KEYS = ("protect", "damage", "where")


def read_statements(
    file: Path,
    value: object,
    *,
    attributes: Sequence[Attribute],
    elsewhere: Mapping[str, str],
    unlisted_insensitive: bool,
) -> ConfidentialStatements | None:
    """Return the confidential statements of a study file, None if it has none.

    Columns that the study does not list are looked for in the source, once it is read.
    """
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise SettingsError(
            f"{file}: [statements] is {written(value)}; there can be several statements, so "
            f"write each "
            "under [[statements]], in double brackets, with protect = 'Health = 2'"
        )
    if not value:
        return None
    rules = []
    for number, each in enumerate(value, start=1):
        place = "[[statements]]" if len(value) == 1 else f"[[statements]] number {number}"
        table = StudyTable.of(
            each, file=file, place=place, known=STATEMENT_KEYS, elsewhere=elsewhere
        )
        rule = _rule(table)
        if not unlisted_insensitive:
            with table.naming():
                check_roles(
                    ConfidentialStatements(
                        rules=(ConfidentialStatement(protect=rule.protect, where=rule.where),)
                    ),
                    attributes,
                )
        rules.append(rule)
    try:
        return ConfidentialStatements(rules=tuple(rules))
    except SettingsError as error:
        raise SettingsError(f"{file}: [[statements]]: {error}") from None


def _rule(table: StudyTable) -> ConfidentialStatement:
    protect = table.text("protect", example="'Health = 2'")
    if protect is None:
        raise SettingsError(
            f"{table.file}: {table.place} has no protect; write what is confidential, such as "
            "protect = 'Health = 2'"
        )
    where = table.text("where", example="'Ward = oncology'")
    with table.naming("protect"):
        predicate(protect)
    with table.naming("where"):
        known = None if where is None else predicate(where)
    with table.naming("damage"):
        return ConfidentialStatement(
            protect=protect, where=known, damage=table.number("damage", example="0.5")
        )
