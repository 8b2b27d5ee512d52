"""Hierarchies of values that a known taxonomy classifies: countries, diagnoses, months."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError, SettingsError, located
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.builders.builder import check_list
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.hierarchies.taxonomies.catalogue import taxonomy_named
from sfumato.hierarchies.taxonomies.taxonomy import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.hierarchies.taxonomies.taxonomy import Taxonomy


@dataclass(frozen=True, kw_only=True)
class KnownTaxonomy:
    """Values as a known taxonomy classifies them, then ``*``.

    ``levels`` chooses among the levels of the taxonomy, from fine to coarse; without it all are
    taken. ``language`` says which language names are read in; without it they are read in all
    that are known, and a name that means different things is not known. Values that the taxonomy
    does not know are an error, or the group ``others`` at every level.

    >>> birth = KnownTaxonomy(taxonomy="countries", levels=("region",), others="other")
    >>> birth.build(["France", "Deutschland", "JPN", "Atlantis"], column="birth").labels[1]
    ('Asia', 'Europe', 'other')
    >>> KnownTaxonomy(taxonomy="icd-10").build(["I21.0", "I21.1", "I50"], column="cause").labels[1]
    ('I21', 'I50')
    """

    taxonomy: str
    levels: Sequence[str] | None = None
    language: str | None = None
    others: str | None = None

    def __post_init__(self) -> None:
        known = taxonomy_named(self.taxonomy)
        if self.language is not None and self.language not in known.languages:
            if not known.languages:
                raise SettingsError(
                    f"the taxonomy {known.name!r} is of codes, which no language changes",
                    code="conflicting-settings",
                    key="language",
                    found=repr(self.language),
                    remedy="leave out language",
                )
            raise SettingsError.unknown_choice("language", self.language, known.languages)
        if self.levels is None:
            return
        check_list(self.levels, setting="levels", example=str(known.levels))
        object.__setattr__(self, "levels", tuple(self.levels))
        for level in self.levels:
            if level not in known.levels:
                raise SettingsError.unknown_choice("levels", level, known.levels)
        places = [known.levels.index(level) for level in self.levels]
        if places != sorted(set(places)):
            raise SettingsError(
                code="wrong-order",
                key="levels",
                found=listed(self.levels),
                expected=f"from fine to coarse, each once, in the order {listed(known.levels)}",
            )

    @property
    def domain_is_declared(self) -> bool:
        """Whether the domain is the same whatever values occur: it is that of those that do."""
        return False

    @property
    def kind_is_declared(self) -> bool:
        """Whether the values are numbers, dates or categories whatever values occur."""
        return False

    @property
    def known(self) -> Taxonomy:
        """The taxonomy itself."""
        return taxonomy_named(self.taxonomy)

    def build(self, values: Sequence[str], *, column: str) -> Hierarchy:
        """Return the hierarchy of the values that occur."""
        known = self.known
        find = known.lookup(self.language)
        chosen = known.levels if self.levels is None else self.levels
        kept = [known.levels.index(level) for level in chosen]
        places = {value: find(value) for value in sorted(set(values))}
        unknown = [value for value, place in places.items() if place is None]
        if unknown and self.others is None:
            raise HierarchyError(
                f"column {column!r} has {counted(len(unknown), 'value')} that the taxonomy "
                f"{known.name!r} does not know: {listed(unknown)}",
                code="value-not-in-taxonomy",
                column=column,
                key="taxonomy",
                found=listed(unknown),
                remedy='correct them in the data, or give them a group: others = "other"',
            )
        if not places:
            raise HierarchyError(
                "there are no values to build a hierarchy of",
                code="no-values",
                column=column,
                remedy="use another builder",
            )
        others = Place(path=(self.others or "",) * len(known.levels), rank=())
        rows = [
            (value, *(place.path[level] for level in kept), TOP)
            for value, place in (
                *sorted(
                    ((v, p) for v, p in places.items() if p is not None),
                    key=lambda each: (tuple(map(str, _padded(each[1]))), each[0]),
                ),
                *((value, others) for value in unknown),
            )
        ]
        with located(column=column, key="taxonomy"):
            return Hierarchy.from_rows(rows)


def _padded(place: Place) -> tuple[str, ...]:
    """Return the rank of a place as texts that sort as the numbers in it."""
    return tuple(f"{each:06}" if isinstance(each, int) else each for each in place.rank)
