"""How a measure or a property is explained to readers: its unit, and what it means."""

from __future__ import annotations

from typing import ClassVar


class Explained:
    """A number with a unit and a meaning, in rows or in people.

    What counts rows to protect somebody counts people where a study has a person key, so that it
    is shown with another unit there.
    """

    unit: ClassVar[str]
    """Its unit where rows are counted: "rows", "cells", …"""
    meaning: ClassVar[str] = ""
    """What it says, in a sentence or two for readers of a page: plain words, no formula."""
    meaning_of_people: ClassVar[str] = ""
    """The same where people are counted, if it is not the same."""

    @classmethod
    def counts_people(cls) -> bool:
        """Say whether it counts people in place of rows where there is a person key."""
        return True

    @classmethod
    def unit_of(cls, *, people: bool) -> str:
        """Return the unit where rows or ``people`` are counted.

        >>> from sfumato.measures.catalogue import measure
        >>> measure("k").unit_of(people=True), measure("dm").unit_of(people=True)
        ('people', 'pairs of rows')
        >>> measure("s-k").unit_of(people=True)
        'people, summed over people'
        """
        return cls.unit.replace("rows", "people") if people and cls.counts_people() else cls.unit

    @classmethod
    def meaning_to(cls, *, people: bool) -> str:
        """Return what it says where rows or ``people`` are counted."""
        return (people and cls.meaning_of_people) or cls.meaning
