"""What stands in place of the values of columns that are released beside the quasi-identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    Values that a rule cannot read are refused.
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
    normalized = [attribute for attribute in attributes if attribute.normalize]
    spelled = {each.name: _spellings(engine, source, each, missing) for each in normalized}
    return {**rules, **spelled}


def _spellings(
    engine: CountingEngine, source: Source, attribute: Attribute, missing: MissingValues
) -> Mapping[str, str]:
    """Return the spelling that each other one of a column becomes."""
    column = engine.count(source, [attribute.name]).columns[attribute.name]
    known = zip(column.values, is_missing(column, missing).tolist(), strict=True)
    listed = attribute.normalize if isinstance(attribute.normalize, tuple) else ()
    return one_spelling([str(value) for value, lacks in known if not lacks], listed)


def described_changes(attributes: Sequence[Attribute]) -> dict[str, str]:
    """Return in words how the values of columns are changed, for certificates and codebooks."""
    found = {a.name: str(a.coarsen) for a in attributes if a.coarsen is not None}
    return found | {
        a.name: "one spelling for values that differ only in case, blanks, invisible characters "
        "or Unicode form"
        for a in attributes
        if a.normalize
    }
