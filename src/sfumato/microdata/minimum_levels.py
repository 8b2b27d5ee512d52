"""Minimum levels: values that no recoding tells apart are counted as one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.microdata.missing import MissingPolicy
from sfumato.microdata.roles import Role
from sfumato.microdata.value_coding import fit_quasi_identifier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.microdata.count_table import CountedQuasiIdentifier
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True, eq=False)
class MinimumLevels:
    """The quasi-identifiers that have a minimum level, as they fit all values, and what is counted.

    The values of a block of the minimum level are counted as the first of them that occurs. A
    missing value stays one, whatever block it is in.
    """

    fitted: Mapping[str, CountedQuasiIdentifier]
    coarser: CoarserValues


def fit_minimum_levels(
    engine: CountingEngine,
    source: Source,
    attributes: Sequence[Attribute],
    *,
    missing: MissingValues,
) -> MinimumLevels:
    """Ask for the values of the columns that have a minimum level, and fit their hierarchies."""
    with_minimum = [attribute for attribute in attributes if attribute.minimum_level]
    if not with_minimum:
        return MinimumLevels(fitted={}, coarser={})
    fitted = fit_columns(engine, source, with_minimum, attributes, missing=missing)
    return MinimumLevels(
        fitted=fitted,
        coarser={
            name: coarser_values(identifier, identifier.minimum_level, missing)
            for name, identifier in fitted.items()
        },
    )


def fit_columns(
    engine: CountingEngine,
    source: Source,
    columns: Sequence[Attribute],
    attributes: Sequence[Attribute],
    *,
    missing: MissingValues,
) -> dict[str, CountedQuasiIdentifier]:
    """Return quasi-identifiers with the hierarchies that fit the rows that will be counted."""
    complete: list[str] = []
    if missing.policy is MissingPolicy.DROP:
        complete = [
            a.name
            for a in attributes
            if a.role in (Role.QUASI_IDENTIFYING, Role.SENSITIVE) or a.label
        ]
    values = engine.values(
        source, [a.name for a in columns], complete=complete, markers=missing.markers
    )
    return {
        attribute.name: fit_quasi_identifier(
            attribute, values[attribute.name], missing=missing, where=str(source)
        )
        for attribute in columns
    }


def coarser_values(
    identifier: CountedQuasiIdentifier, level: int, missing: MissingValues
) -> dict[str, str]:
    """Return, for every text that is counted as another one at a level, that other one."""
    blocks = identifier.hierarchy.levels[level]
    known = sorted(
        (leaf, text)
        for text, leaf in identifier.leaf_of_value.items()
        if text is not None and text not in missing.markers
    )
    first: dict[int, str] = {}
    for leaf, text in known:
        first.setdefault(int(blocks[leaf]), text)
    found = {text: first[int(blocks[leaf])] for leaf, text in known}
    return {text: other for text, other in found.items() if text != other}
