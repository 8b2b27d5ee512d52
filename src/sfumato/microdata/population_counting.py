"""Counting the table of a population by the leaves of the quasi-identifiers of a study."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.column_names import check_columns
from sfumato.errors import SettingsError, SourceError
from sfumato.microdata.counted_population import CountedPopulation
from sfumato.microdata.value_coding import is_missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Codes, Counts
    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.grouped_counts import CoarserValues, GroupedColumn
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.sources.source import Source


def count_population(
    source: Source,
    table: CountTable,
    *,
    engine: CountingEngine,
    missing: MissingValues,
    coarser: CoarserValues,
    includes_sample: bool,
) -> CountedPopulation:
    """Count the people of a population by one GROUP BY, each row being a person.

    The people of the sample are added where the population does not include them. Otherwise every
    combination of the sample must be there at least as often: a smaller population is refused.
    """
    if table.people_in_several_cells:
        raise SettingsError(
            "the study has people with rows in several combinations of quasi-identifiers, and a "
            "population has one row for each person",
            code="conflicting-settings",
            key="population",
            remedy="leave out the person key, or the population",
        )
    check_columns(table.names, engine.columns(source), where=str(source))
    grouped = engine.count(
        source, list(table.names), coarser={n: c for n, c in coarser.items() if n in table.names}
    )
    codes = np.stack(
        [
            leaves_of_texts(grouped.columns[each.name], each, missing)[
                grouped.columns[each.name].codes
            ]
            for each in table.quasi_identifiers
        ]
    ).astype(np.int32)
    inside = (codes >= 0).all(axis=0)
    found = with_sample(
        table,
        codes[:, inside],
        grouped.counts[inside],
        includes_sample=includes_sample,
        where=source,
    )
    return replace(found, outside=int(grouped.counts[~inside].sum()))


def with_sample(
    table: CountTable,
    codes: Codes,
    counts: Counts,
    *,
    includes_sample: bool,
    where: object = "the population",
) -> CountedPopulation:
    """Return the population with each combination once, and the people of the sample in it."""
    every = np.concatenate((codes, table.cell_codes), axis=1)
    sample = table.cell_units if not includes_sample else np.zeros_like(table.cell_units)
    cells, place = np.unique(every, axis=1, return_inverse=True)
    totals = np.zeros(cells.shape[1], dtype=np.int64)
    np.add.at(totals, place.ravel(), np.concatenate((counts, sample)))
    own = totals[place.ravel()[codes.shape[1] :]]
    if (own < table.cell_units).any():
        short = int((own < table.cell_units).sum())
        raise SourceError(
            f"{where} has fewer people than the source in {short:,} of {table.cells:,} "
            "combinations of quasi-identifiers, so that the source is not a part of it",
            code="population-too-small",
            file=where if not isinstance(where, str) else None,
            key="population",
            found=str(int(counts.sum())),
            expected="every person of the source in the population",
            remedy="if the population does not include the sample, set includes-sample = false",
        )
    return CountedPopulation(codes=cells.astype(np.int32), counts=totals)


def leaves_of_texts(
    column: GroupedColumn, identifier: CountedQuasiIdentifier, missing: MissingValues
) -> Counts:
    """Return the leaf of every text of a column, -1 if there is none."""
    hierarchy, known = identifier.hierarchy, identifier.leaf_of_value
    gaps = is_missing(column, missing)
    gap = -1 if identifier.missing_leaf is None else identifier.missing_leaf
    texts = [text for text in column.values if text is not None]
    located: Mapping[str, int] = dict(zip(texts, hierarchy.locate(texts).tolist(), strict=True))
    leaves = np.full(len(column.values), -1, dtype=np.int64)
    for place, text in enumerate(column.values):
        if gaps[place] or text is None:
            leaves[place] = gap
            continue
        leaves[place] = known.get(text, located[text])
    if identifier.minimum_level:
        # Cells have the first leaf of a block of the minimum level.
        level = hierarchy.levels[identifier.minimum_level]
        first = hierarchy.block_starts(identifier.minimum_level)[level]
        leaves = np.where(leaves < 0, -1, first[leaves])
    return leaves
