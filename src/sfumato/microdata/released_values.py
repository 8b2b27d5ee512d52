"""What stands in place of the values of columns that are released beside the quasi-identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.coarsening import CoarsenedValues, CoarseNumbers
from sfumato.errors import SourceError
from sfumato.errors.listing import counted, joined
from sfumato.microdata.spelling import one_spelling
from sfumato.microdata.value_coding import is_missing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.sources.source import Source

_MOST_SHOWN = 3


def released_values(
    engine: CountingEngine,
    source: Source,
    attributes: Sequence[Attribute],
    *,
    missing: MissingValues,
) -> CoarserValues:
    """Return the rules and spellings that are counted and released in place of the values.

    Values that a rule cannot read are refused. Of values that differ in spelling alone the most
    frequent spelling is taken, over all rows.
    """
    rules = {
        attribute.name: CoarsenedValues(rule=attribute.coarsen, markers=missing.markers)
        for attribute in attributes
        if attribute.coarsen is not None
    }
    for name, unread in engine.unreadable(source, rules, most=_MOST_SHOWN).items() if rules else ():
        numbers = isinstance(rules[name].rule, CoarseNumbers)
        shown = joined([repr(text) for text in unread.texts], total=len(unread.texts))
        raise SourceError(
            f"column {name!r} is coarsened ({rules[name].rule}), and "
            f"{counted(unread.rows, 'row')} cannot be read as a "
            f"{'number' if numbers else 'date'}: {shown}",
            code="not-a-number" if numbers else "not-a-date",
            file=str(source),
            column=name,
            key="coarsen",
            expected="numbers" if numbers else "ISO dates like 2024-03-14",
            remedy="mend them, or list them among the markers of missing values",
        )
    names = [attribute.name for attribute in attributes if attribute.normalize]
    return {**rules, **{name: _spellings(engine, source, name, missing) for name in names}}


def _spellings(
    engine: CountingEngine, source: Source, name: str, missing: MissingValues
) -> Mapping[str, str]:
    """Return the spelling that each other one of a column becomes."""
    grouped = engine.count(source, [name])
    column = grouped.columns[name]
    gap = is_missing(column, missing)
    rows = np.bincount(column.codes, weights=grouped.counts, minlength=len(column.values))
    known = zip(column.values, rows.tolist(), gap.tolist(), strict=True)
    return one_spelling({str(value): int(count) for value, count, lacks in known if not lacks})


def described_changes(attributes: Sequence[Attribute]) -> dict[str, str]:
    """Return in words how the values of columns are changed, for certificates and codebooks."""
    found = {a.name: str(a.coarsen) for a in attributes if a.coarsen is not None}
    return found | {
        a.name: "one spelling for values that differ only in case, blanks, invisible characters "
        "or Unicode form"
        for a in attributes
        if a.normalize
    }
