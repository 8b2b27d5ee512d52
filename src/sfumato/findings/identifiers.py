"""Does a column look like an identifier? By its name, and by what its cells are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.microdata.column_words import (
    column_words,
    names_identifier,
    names_person,
    numbers_people,
)
from sfumato.recognition.identifiers import IDENTIFIERS, identifier_named

if TYPE_CHECKING:
    from sfumato.engines.messages.column_facts import ColumnFacts
    from sfumato.recognition.identifier_kind import IdentifierKind

FEW_ROWS = 20
"""Among fewer rows it says little that most values differ."""

MANY_VALUES = 50
NEARLY_ALL = 0.9
MOST = 0.5


def identifier_reason(column: ColumnFacts) -> str | None:
    """Return why a column looks like an identifier, None if it does not.

    Numbers with a fraction and numbers that are seldom equal are measurements: they single out
    rows, but nobody goes by them. A value that very many rows have is that of a group.
    """
    if column.identifier is not None:
        return f"its values look like {column.identifier.listed_title}"
    fractions = column.numbers - column.whole
    if not column.tells_people_apart or fractions:
        return None
    many = column.distinct > MANY_VALUES or column.distinct > MOST * column.present
    named = _named(column.name)
    if named and many:
        return f"its name is that of {named.listed_title}, and it has many values"
    if column.present < FEW_ROWS:
        return None
    if column.long_numbers > MOST * column.present and many:
        return "its values are long numbers, such as documents and accounts have"
    if column.distinct >= NEARLY_ALL * column.present and column.numbers < MOST * column.present:
        return "nearly every row has a value of its own"
    return None


_PERSON_NAME = next(kind for kind in IDENTIFIERS if kind.name == "person-name")
_OTHER = next(kind for kind in IDENTIFIERS if kind.name == "other")


def _named(name: str) -> IdentifierKind | None:
    """Return the kind of identifiers that a column's name is that of, also of a name or a key."""
    words = column_words(name)
    kind = identifier_named(name)
    if kind is None and names_person(words):
        return _PERSON_NAME
    if kind is None and (names_identifier(words) or numbers_people(words)):
        return _OTHER
    return kind


def looks_like_person_key(column: ColumnFacts, *, listed_identifying: bool) -> bool:
    """Say whether a column could tell people apart who have several rows.

    That of an identifying column is asked by its values alone: its name may be anything.
    """
    if not column.tells_people_apart:
        return False
    return listed_identifying or identifier_reason(column) is not None
