"""Which role a column may have: proposed from its name and its shape, with a reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engines.messages.column_profile import MISSING_MARKERS
from sfumato.hierarchies.taxonomies.catalogue import taxonomy_named
from sfumato.microdata.column_words import (
    FREE_TEXT,
    KNOWN_TO_OTHERS,
    MEASUREMENT,
    NUMBERING,
    POSTCODE,
    SENSITIVE,
    TIME,
    column_words,
    names_identifier,
    names_person,
    tells,
)
from sfumato.microdata.roles import Role
from sfumato.recognition.identifiers import identifier_named

if TYPE_CHECKING:
    from sfumato.engines.messages.column_profile import ColumnProfile

FEW_ROWS = 20
"""Among fewer rows it says little that most values differ."""
MOSTLY_OWN = 0.5
NEARLY_OWN = 0.9
LONG_TEXT = 80
FEW_CODES = 30
FEW_ANSWERS = 5
PRIVATE_NAME = "its name is that of something people keep to themselves"


@dataclass(frozen=True, kw_only=True)
class ProposedRole:
    """A role and why; ``known`` if the name itself says that others may know the column."""

    role: Role
    reason: str
    remarks: tuple[str, ...] = ()
    known: bool = False


def proposed_role(profile: ColumnProfile) -> ProposedRole:
    """Return the role that a column may have. Where in doubt, it is the one that shows less."""
    words = column_words(profile.name)
    number = profile.numbers is not None
    identifies = _identifier(profile, words)
    if identifies is not None:
        return _identifying(identifies)
    if profile.present == 0 and not _odd_values(profile):
        return _insensitive("it has no values")
    if category_count(profile) == 1 and profile.missing + _marked(profile) == 0:
        return _insensitive("every row has the same value")
    if profile.dates is not None:
        return _quasi_identifying("dates, which others may know", words)
    if tells(words, POSTCODE):
        return _quasi_identifying("a postcode, which others may know", words)
    if number and tells(words, TIME):
        return _quasi_identifying("an age or a time, which others may know", words)
    if tells(words, FREE_TEXT) and not number:
        return _identifying("free text, which can tell anything about a person")
    own = _own_values(profile)
    classified = [taxonomy_named(shape.name) for shape in profile.taxonomies]
    private = next((taxonomy for taxonomy in classified if taxonomy.sensitive), None)
    if private is not None:
        return _sensitive(profile, f"its values are {private.title}")
    if tells(words, SENSITIVE):
        # Wages differ from row to row, and nobody goes by them.
        return _identifying(own) if own and not number else _sensitive(profile, PRIVATE_NAME)
    many = profile.distinct > 50 or profile.unique_share >= 0.05
    if names_identifier(words) and many:
        return _identifying("its name is that of an identifier, and it has many values")
    if tells(words, NUMBERING) and profile.unique_share >= MOSTLY_OWN:
        return _identifying("it numbers the rows: most have a value of their own")
    if number and tells(words, MEASUREMENT):
        return _insensitive(
            "a measurement that outsiders hardly know",
            "Released as it is. Make it sensitive if it must not be learnt about a person.",
        )
    if classified:
        return _quasi_identifying(f"{classified[0].title}, which others may know", words)
    if own:
        return _identifying(own)
    if number:
        remark = (
            "Nearly every row has its own number: is it an identifier? Then say identifying.",
        )
        return _quasi_identifying(
            "numbers that others may know",
            words,
            remark if profile.unique_share >= NEARLY_OWN else (),
        )
    if profile.codes is not None and profile.distinct > FEW_CODES:
        return _quasi_identifying("codes of one length that others may know", words)
    return _quasi_identifying("a category that others may know", words)


def _identifier(profile: ColumnProfile, words: tuple[str, ...]) -> str | None:
    """Return why a column has identifiers of people by its name or its values, None if not.

    A date of something, and a word with a few values such as whether there is a telephone, is none;
    a few names or addresses are.
    """
    kind = identifier_named(profile.name)
    if names_person(words) and profile.dates is None:
        few = profile.distinct <= FEW_ANSWERS and profile.rows > FEW_ROWS
        if kind is None and profile.numbers is None:
            return "its name is that of something that tells who a person is"
        if kind is not None and (not few or kind.name in ("person-name", "address")):
            return f"its name is that of {kind.listed_title}"
    if profile.identifier is not None:
        return f"its values look like {profile.identifier.listed_title}"
    return None


def category_count(profile: ColumnProfile) -> int:
    """Return how many values there are beside the surely missing ones."""
    return profile.distinct + len(_odd_values(profile))


def missing_markers(profile: ColumnProfile) -> tuple[str, ...]:
    """Return the texts of a column that mean a missing value."""
    shaped = profile.numbers is not None or profile.dates is not None
    return tuple(t for t, _ in profile.markers if shaped or t.strip() in MISSING_MARKERS)


def _odd_values(profile: ColumnProfile) -> tuple[str, ...]:
    missing = missing_markers(profile)
    return tuple(text for text, _ in profile.markers if text not in missing)


def _marked(profile: ColumnProfile) -> int:
    missing = missing_markers(profile)
    return sum(rows for text, rows in profile.markers if text in missing)


def _own_values(profile: ColumnProfile) -> str | None:
    """Return why a column tells rows apart by its values, None if it does not."""
    share, numbers, codes = profile.unique_share, profile.numbers, profile.codes
    if numbers is not None:
        if not numbers.whole or share < NEARLY_OWN:
            return None
        span = numbers.greatest - numbers.least + 1
        if share == 1 and profile.distinct >= span and numbers.least in (0, 1):
            return "it numbers the rows"
        if profile.present < FEW_ROWS:
            return None
        if profile.distinct >= span * 95 / 100:
            return "it numbers the rows: nearly no number is left out"
        if codes is not None and codes.length >= 6:
            return "nearly every row has its own number, all of one length"
        return "every row has its own whole number" if share == 1 else None
    if profile.present < FEW_ROWS:
        return None
    if share >= MOSTLY_OWN:
        return "most rows have a value of their own"
    if profile.longest > LONG_TEXT and profile.distinct > FEW_ROWS:
        return "it has long texts, which can tell anything about a person"
    return None


def _identifying(reason: str) -> ProposedRole:
    return ProposedRole(role=Role.IDENTIFYING, reason=reason)


def _insensitive(reason: str, *remarks: str) -> ProposedRole:
    return ProposedRole(role=Role.INSENSITIVE, reason=reason, remarks=remarks)


def _sensitive(profile: ColumnProfile, reason: str) -> ProposedRole:
    remarks: tuple[str, ...] = ()
    if profile.unique_share >= MOSTLY_OWN and profile.present >= FEW_ROWS:
        remarks = (
            "Most rows have a value of their own, and values are released exactly. Round them "
            "first, or make the column quasi-identifying: l and t say little about so many values.",
        )
    return ProposedRole(
        role=Role.SENSITIVE,
        reason=reason,
        remarks=remarks,
    )


def _quasi_identifying(
    reason: str, words: tuple[str, ...], remarks: tuple[str, ...] = ()
) -> ProposedRole:
    return ProposedRole(
        role=Role.QUASI_IDENTIFYING,
        reason=reason,
        remarks=remarks,
        known=tells(words, KNOWN_TO_OTHERS),
    )
