"""A known taxonomy as the hierarchy of a column: the levels of it that merge something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.hierarchies.hierarchy import TOP
from sfumato.hierarchies.taxonomies.catalogue import taxonomy_named
from sfumato.study.proposal.proposed_hierarchy import ProposedHierarchy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.engines.messages.column_profile import ColumnProfile, TaxonomyShape
    from sfumato.study.file.toml_text import TomlValue

OTHERS = "other"


def proposed_taxonomy(profile: ColumnProfile, *, most: int) -> ProposedHierarchy | None:
    """Return the levels of the best known taxonomy, None if there is none that merges anything."""
    return next(proposed_taxonomies(profile, most=most), None)


def proposed_taxonomies(profile: ColumnProfile, *, most: int) -> Iterator[ProposedHierarchy]:
    """Yield the known taxonomies of a column's values that merge anything, the best first."""
    for shape in profile.taxonomies:
        levels = _levels(shape, profile, most)
        if levels:
            yield _proposed(shape, levels)


def _levels(shape: TaxonomyShape, profile: ColumnProfile, most: int) -> list[int]:
    """Return the places of the levels that merge what the level before does not.

    If they are too many, the coarser ones stay: the values themselves are the finest level.
    """
    chosen, before = [], min(shape.looked_at, profile.distinct) - shape.unknown
    for level, blocks in enumerate(shape.blocks):
        if 1 < blocks < before:
            chosen.append(level)
            before = blocks
    return chosen[len(chosen) - most :] if len(chosen) > most else chosen


def _proposed(shape: TaxonomyShape, chosen: list[int]) -> ProposedHierarchy:
    taxonomy = taxonomy_named(shape.name)
    names = [taxonomy.levels[level] for level in chosen]
    settings: dict[str, TomlValue] = {"taxonomy": taxonomy.name}
    if len(names) < len(taxonomy.levels):
        settings["levels"] = [*names]
    if shape.language is not None:
        settings["language"] = shape.language
    remarks = [f"A proposal from what is known of {taxonomy.title}. Source: {taxonomy.source}"]
    if shape.unknown or not shape.complete:
        settings["others"] = OTHERS
    if shape.unknown:
        looked_at = counted(shape.looked_at, "value")
        remarks.append(
            f"{counted(shape.unknown, 'value')} of {looked_at} "
            f"{'is' if shape.unknown == 1 else 'are'} not in it, and in the group {OTHERS!r}."
        )
    return ProposedHierarchy(
        settings=settings,
        levels=("the value", *(f"the {name}" for name in names), TOP),
        remarks=tuple(remarks),
    )
