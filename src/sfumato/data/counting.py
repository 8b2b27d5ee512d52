"""From grouped counts to the count table: values become leaves of their hierarchies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.data.count_table import CountedColumn, CountedQuasiIdentifier, CountTable
from sfumato.data.coverage import check_covers
from sfumato.data.ground_distance import HierarchicalDistance, OrderedDistance
from sfumato.data.hierarchy import Hierarchy
from sfumato.data.missing import MissingPolicy, MissingValues
from sfumato.data.roles import Attribute, Role
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data.arrays import Codes, Counts, Flags
    from sfumato.data.grouped_counts import GroupedColumn, GroupedCounts


def counted_attributes(attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Return the attributes that take part in the GROUP BY: QIs, sensitive columns, the label.

    >>> from sfumato.data.roles import identifying, sensitive
    >>> [a.name for a in counted_attributes([identifying("name"), sensitive("diagnosis")])]
    ['diagnosis']
    """
    names = [attribute.name for attribute in attributes]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SettingsError(f"column {', '.join(map(repr, twice))} is described more than once")
    labels = [attribute.name for attribute in attributes if attribute.label]
    if len(labels) > 1:
        raise SettingsError(
            f"{', '.join(map(repr, labels))} are all marked as class label; mark one at most"
        )
    if not any(attribute.role is Role.QUASI_IDENTIFYING for attribute in attributes):
        raise SettingsError(
            "no column is quasi-identifying, so there is nothing to recode; give at least one "
            "column the role 'quasi-identifying' and a hierarchy"
        )
    return tuple(
        attribute
        for attribute in attributes
        if attribute.role in (Role.QUASI_IDENTIFYING, Role.SENSITIVE) or attribute.label
    )


def build_count_table(
    grouped: GroupedCounts,
    attributes: Sequence[Attribute],
    *,
    missing: MissingValues | None = None,
    where: str = "the source",
) -> CountTable:
    """Return the count table of grouped counts; ``where`` names the source in errors."""
    missing = MissingValues() if missing is None else missing
    counted = counted_attributes(attributes)
    grouped_columns = {a.name: grouped.columns[a.name] for a in counted}
    complete = np.ones(grouped.counts.shape[0], dtype=np.bool_)
    for attribute in counted:
        column = grouped_columns[attribute.name]
        complete &= ~_is_missing(column, missing)[column.codes]
    if missing.policy is MissingPolicy.ERROR and not complete.all():
        _refuse_missing(grouped, counted, missing, where)
    keep = complete if missing.policy is MissingPolicy.DROP else np.ones_like(complete)
    counts = grouped.counts[keep]
    total = int(counts.sum())
    if total == 0:
        reason = "no row is complete" if grouped.counts.size else "there is not a single row"
        raise SourceError(f"{where} has nothing to anonymize: {reason}")

    identifiers: list[CountedQuasiIdentifier] = []
    cell_rows: list[Codes] = []
    columns: dict[str, CountedColumn] = {}
    entry_rows: list[Codes] = []
    for attribute in counted:
        column = grouped_columns[attribute.name]
        codes = column.codes[keep]
        if attribute.role is Role.QUASI_IDENTIFYING:
            identifier, leaves = _as_quasi_identifier(attribute, column, codes, missing, where)
            identifiers.append(identifier)
            cell_rows.append(leaves)
        if attribute.role is Role.SENSITIVE or attribute.label:
            counted_column, values = _as_column(attribute, column, codes, missing)
            columns[attribute.name] = counted_column
            entry_rows.append(values)
    sensitive_names = {a.name for a in counted if a.role is Role.SENSITIVE}
    label = next((columns[a.name] for a in counted if a.label), None)
    # The label comes last among the carried columns, as `CountTable.columns` lists it.
    names = list(columns)
    ordered = [n for n in names if n in sensitive_names]
    ordered += [n for n in names if n not in sensitive_names]
    entry_rows = [entry_rows[names.index(name)] for name in ordered]
    arrays = _merge(
        np.stack(cell_rows),
        np.stack(entry_rows) if entry_rows else np.zeros((0, counts.shape[0]), dtype=np.int32),
        counts,
    )
    return CountTable(
        quasi_identifiers=tuple(identifiers),
        sensitive=tuple(columns[name] for name in ordered if name in sensitive_names),
        label=label,
        cell_codes=arrays[0],
        cell_sizes=arrays[1],
        entry_starts=arrays[2],
        entry_codes=arrays[3],
        entry_counts=arrays[4],
        dropped_rows=int(grouped.counts.sum()) - total,
    )


def _is_missing(column: GroupedColumn, missing: MissingValues) -> Flags:
    return np.array([v is None or v in missing.markers for v in column.values], dtype=np.bool_)


def _refuse_missing(
    grouped: GroupedCounts, counted: Sequence[Attribute], missing: MissingValues, where: str
) -> None:
    found = []
    for attribute in counted:
        column = grouped.columns[attribute.name]
        rows = int(grouped.counts[_is_missing(column, missing)[column.codes]].sum())
        if rows:
            found.append(f"{attribute.name!r} in {rows} row{'s' if rows > 1 else ''}")
    raise SourceError(
        f"{where} has missing values: {', '.join(found)}; fill them in, or set missing to "
        "'category' (a category of its own) or 'drop' (leave the rows out)"
    )


def _as_quasi_identifier(
    attribute: Attribute, column: GroupedColumn, codes: Codes, missing: MissingValues, where: str
) -> tuple[CountedQuasiIdentifier, Codes]:
    occurring = np.unique(codes)
    gap = _is_missing(column, missing)
    texts = [str(column.values[code]) for code in occurring if not gap[code]]
    assert attribute.hierarchy is not None
    hierarchy = (
        attribute.hierarchy
        if isinstance(attribute.hierarchy, Hierarchy)
        else attribute.hierarchy.build(texts, column=attribute.name)
    )
    # A hierarchy may place a marker such as "?" itself; then that is where missing values go.
    placed = [t for t in (*missing.markers, missing.label) if int(hierarchy.locate([t])[0]) >= 0]
    missing_leaf: int | None = None
    if gap[occurring].any():
        if not placed:
            hierarchy = hierarchy.with_missing(missing.label)
            placed = [missing.label]
        missing_leaf = int(hierarchy.locate([placed[0]])[0])
    check_covers(hierarchy, texts, column=attribute.name, where=where)
    leaf_of = np.full(len(column.values), -1, dtype=np.int32)
    leaf_of[[code for code in occurring if not gap[code]]] = hierarchy.locate(texts)
    if missing_leaf is not None:
        leaf_of[gap] = missing_leaf
    identifier = CountedQuasiIdentifier(
        name=attribute.name,
        hierarchy=hierarchy,
        weight=attribute.weight,
        missing_leaf=missing_leaf,
    )
    return identifier, leaf_of[codes]


def _as_column(
    attribute: Attribute, column: GroupedColumn, codes: Codes, missing: MissingValues
) -> tuple[CountedColumn, Codes]:
    gap = _is_missing(column, missing)
    text_of = [missing.label if gap[c] else str(v) for c, v in enumerate(column.values)]
    occurring = sorted({text_of[code] for code in np.unique(codes)})
    values = _domain(attribute, occurring)
    place = {text: code for code, text in enumerate(values)}
    code_of = np.array([place.get(text, -1) for text in text_of], dtype=np.int32)
    counted = CountedColumn(
        name=attribute.name, values=values, ground_distance=attribute.ground_distance
    )
    return counted, code_of[codes]


def _domain(attribute: Attribute, occurring: list[str]) -> tuple[str, ...]:
    """Return the values of a sensitive column in the order that its ground distance needs."""
    distance = attribute.ground_distance
    if isinstance(distance, HierarchicalDistance):
        check_covers(
            distance.hierarchy, occurring, column=attribute.name, where="its ground distance"
        )
        return distance.hierarchy.labels[0]
    if isinstance(distance, OrderedDistance):
        if distance.order is not None:
            outside = [text for text in occurring if text not in distance.order]
            if outside:
                raise SettingsError(
                    f"column {attribute.name!r} has values that its order lacks: "
                    f"{', '.join(map(repr, outside[:10]))}; add them to the order"
                )
            return distance.order
        try:
            return tuple(sorted(occurring, key=float))
        except ValueError:
            raise SettingsError(
                f"column {attribute.name!r} has the ordered ground distance but values that are "
                "no numbers; give their order, lowest first: OrderedDistance(order=(…))"
            ) from None
    return tuple(occurring)


def _merge(
    cell_codes: Codes, entry_codes: Codes, counts: Counts
) -> tuple[Codes, Counts, Counts, Codes, Counts]:
    """Sort by leaves, then values; add up what became equal; find where each cell begins."""
    rows = np.concatenate((cell_codes, entry_codes))
    order = np.lexsort(rows[::-1])
    cells, entries = cell_codes[:, order], entry_codes[:, order]
    new_cell = np.concatenate(([True], (cells[:, 1:] != cells[:, :-1]).any(axis=0)))
    new_entry = new_cell.copy()
    new_entry[1:] |= (entries[:, 1:] != entries[:, :-1]).any(axis=0)
    entry_first = np.flatnonzero(new_entry)
    entry_counts = np.add.reduceat(counts[order], entry_first)
    starts = np.flatnonzero(new_cell[entry_first])
    return (
        np.ascontiguousarray(cells[:, entry_first[starts]]),
        np.add.reduceat(entry_counts, starts),
        np.concatenate((starts, [entry_first.shape[0]])).astype(np.int64),
        np.ascontiguousarray(entries[:, entry_first]),
        entry_counts,
    )
