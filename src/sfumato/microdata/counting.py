"""From grouped counts to the count table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.column_facts import TextCounts
from sfumato.errors import SettingsError, SourceError
from sfumato.errors.hint import Hint
from sfumato.errors.listing import counted as number_of
from sfumato.errors.listing import listed
from sfumato.microdata.count_table import (
    CountedColumn,
    CountedQuasiIdentifier,
    CountTable,
    exact_bincount,
)
from sfumato.microdata.counted_people import CountedPeople
from sfumato.microdata.missing import MissingPolicy, MissingValues
from sfumato.microdata.roles import Attribute, Role
from sfumato.microdata.value_coding import code_column, code_quasi_identifier, is_missing
from sfumato.statements.counted_statements import CountedStatements, count_statements, truths_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.engines.messages.grouped_counts import GroupedCounts
    from sfumato.statements.confidential import ConfidentialStatements
    from sfumato.statements.predicate import Atom


_WORD_BITS = 62
_MOST_TEXTS = 10_000


def counted_attributes(attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Return the attributes that take part in the GROUP BY: QIs, sensitive columns, the label.

    >>> from sfumato.hierarchies.builders.flat import Flat
    >>> from sfumato.microdata.roles import identifying, quasi_identifying, sensitive
    >>> roles = [identifying("name"), quasi_identifying("sex", Flat()), sensitive("diagnosis")]
    >>> [attribute.name for attribute in counted_attributes(roles)]
    ['sex', 'diagnosis']
    """
    names = [attribute.name for attribute in attributes]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SettingsError(
            f"column {listed(twice)} is described more than once",
            code="duplicate",
            column=twice[0],
            found=listed(twice),
            remedy="give every column one role",
        )
    labels = [attribute.name for attribute in attributes if attribute.label]
    if len(labels) > 1:
        raise SettingsError(
            f"{listed(labels)} are all marked as class label",
            code="several-labels",
            key="label",
            found=listed(labels),
            expected="at most one",
        )
    if not any(attribute.role is Role.QUASI_IDENTIFYING for attribute in attributes):
        raise SettingsError(
            "no column is quasi-identifying, so there is nothing to recode",
            code="no-quasi-identifier",
            remedy="give at least one column the role 'quasi-identifying' and a hierarchy",
        )
    return tuple(
        attribute
        for attribute in attributes
        if attribute.role in (Role.QUASI_IDENTIFYING, Role.SENSITIVE) or attribute.label
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class GivenTruths:
    """What some groups of rows satisfy, and which rules apply to them, known from elsewhere.

    ``groups`` marks them; the other two have a row for each of them.
    """

    groups: Flags
    satisfied: Flags
    applies: Flags


def build_count_table(
    grouped: GroupedCounts,
    attributes: Sequence[Attribute],
    *,
    missing: MissingValues | None = None,
    where: str = "the source",
    fitted: Mapping[str, CountedQuasiIdentifier] | None = None,
    statements: ConfidentialStatements | None = None,
    truths: GivenTruths | None = None,
) -> CountTable:
    """Return the count table of grouped counts; ``where`` names the source in errors.

    ``fitted`` are quasi-identifiers of whose values only some were counted, see `MinimumLevels`.
    The columns that ``statements`` name are among the grouped ones, whatever their role; of some
    groups ``truths`` says what they satisfy, whatever their values are.
    """
    missing = MissingValues() if missing is None else missing
    counted = counted_attributes(attributes)
    keep = _kept_groups(grouped, counted, missing, where)
    counts = grouped.counts[keep]
    total = int(counts.sum())
    if total == 0:
        raise _nothing_to_anonymize(where, dropped=bool(grouped.counts.size))
    identifiers: list[CountedQuasiIdentifier] = []
    cell_rows: list[Codes] = []
    columns: dict[str, CountedColumn] = {}
    entry_rows: list[Codes] = []
    for attribute in counted:
        column = grouped.columns[attribute.name]
        codes = column.codes[keep]
        if attribute.role is Role.QUASI_IDENTIFYING:
            identifier, leaves = code_quasi_identifier(
                attribute,
                column,
                codes,
                missing=missing,
                where=where,
                fitted=(fitted or {}).get(attribute.name),
            )
            identifiers.append(identifier)
            cell_rows.append(leaves)
        if attribute.role is Role.SENSITIVE or attribute.label:
            counted_column, values = code_column(
                attribute, column, codes, missing=missing, where=where
            )
            columns[attribute.name] = counted_column
            entry_rows.append(values)
    sensitive_names = {a.name for a in counted if a.role is Role.SENSITIVE}
    label = next((columns[a.name] for a in counted if a.label), None)
    # The label comes last among the carried columns, as `CountTable.columns` lists it.
    names = list(columns)
    ordered = [n for n in names if n in sensitive_names]
    ordered += [n for n in names if n not in sensitive_names]
    values_of = {name: (columns[name].values, entry_rows[names.index(name)]) for name in names}
    entry_rows = [entry_rows[names.index(name)] for name in ordered]
    counted_statements = None
    if statements is not None:
        counted_statements, patterns = _statements(
            statements, grouped, values_of, keep, missing, truths
        )
        entry_rows.append(patterns)
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
        statements=counted_statements,
        people=None
        if grouped.people is None
        else CountedPeople.of(
            grouped.people.where(keep),
            arrays[5],
            np.repeat(np.arange(arrays[1].shape[0]), np.diff(arrays[2])),
        ),
        texts={
            attribute.name: _text_counts(grouped, attribute.name)
            for attribute in counted
            if attribute.name not in (fitted or {})
            and len(grouped.columns[attribute.name].values) <= _MOST_TEXTS
        },
    )


def _text_counts(grouped: GroupedCounts, name: str) -> TextCounts:
    column = grouped.columns[name]
    rows = exact_bincount(column.codes, grouped.counts, len(column.values))
    return TextCounts(column.values, rows)


def _kept_groups(
    grouped: GroupedCounts, counted: Sequence[Attribute], missing: MissingValues, where: str
) -> Flags:
    """Say which groups are counted, or refuse those with missing values if the policy does."""
    complete: Flags = np.ones(grouped.counts.shape[0], dtype=np.bool_)
    for attribute in counted:
        column = grouped.columns[attribute.name]
        complete &= ~is_missing(column, missing)[column.codes]
    if missing.policy is MissingPolicy.ERROR and not complete.all():
        _refuse_missing(grouped, counted, missing, where)
    return complete if missing.policy is MissingPolicy.DROP else np.ones_like(complete)


def _nothing_to_anonymize(where: str, *, dropped: bool) -> SourceError:
    """Return the error of a source without rows, or without rows that are complete."""
    if not dropped:
        return SourceError(
            f"{where} has nothing to anonymize: there is not a single row",
            code="no-rows",
            file=where,
        )
    return SourceError(
        f"{where} has nothing to anonymize: every row has a missing value, and rows with one are "
        "left out",
        code="all-rows-dropped",
        file=where,
        remedy=Hint(
            python="keep them with MissingValues(policy='category')",
            file='keep them with policy = "category" under [missing]',
        ),
    )


def _statements(
    statements: ConfidentialStatements,
    grouped: GroupedCounts,
    values_of: Mapping[str, tuple[tuple[str, ...], Codes]],
    keep: Flags,
    missing: MissingValues,
    truths: GivenTruths | None,
) -> tuple[CountedStatements, Codes]:
    """Return the statements with the pattern of every group that is kept.

    Values are compared as the texts that are counted; those of columns that only rules name are
    the texts of the source, or the label of missing values.
    """

    def truth_of(atom: Atom) -> Flags:
        if atom.column in values_of:
            values, codes = values_of[atom.column]
        else:
            column = grouped.columns[atom.column]
            gap = is_missing(column, missing)
            values = tuple(missing.label if gap[c] else str(v) for c, v in enumerate(column.values))
            codes = column.codes[keep]
        named: Flags = np.array([value in atom.values for value in values], dtype=np.bool_)
        return named[codes]

    satisfied, applies = truths_of(statements, truth_of, groups=int(keep.sum()))
    if truths is not None:
        given = truths.groups[keep]
        satisfied[given], applies[given] = truths.satisfied, truths.applies
    return count_statements(statements, grouped.counts[keep], satisfied, applies)


def _refuse_missing(
    grouped: GroupedCounts, counted: Sequence[Attribute], missing: MissingValues, where: str
) -> None:
    found = []
    first: str | None = None
    for attribute in counted:
        column = grouped.columns[attribute.name]
        rows = int(grouped.counts[is_missing(column, missing)[column.codes]].sum())
        if rows:
            first = first or attribute.name
            found.append(f"column {attribute.name!r} in {number_of(rows, 'row')}")
    raise SourceError(
        f"{where} has missing values: {', '.join(found)}",
        code="missing-values",
        file=where,
        column=first,
        remedy=Hint(
            python="fill them in, or treat them otherwise: MissingValues(policy='category') makes "
            "them a category of their own, MissingValues(policy='drop') leaves the rows out",
            file='fill them in, or treat them otherwise: policy = "category" under [missing] makes '
            'them a category of their own, policy = "drop" leaves the rows out',
        ),
    )


def _packed(columns: Sequence[Codes]) -> list[Counts]:
    """Pack columns of codes into as few columns as hold them, comparing as they do.

    Sorting takes a pass for every column, so that few wide ones are sorted quicker.
    """
    words: list[Counts] = []
    filled = 0
    for codes in columns:
        bits = int(codes.max()).bit_length() if codes.size else 0
        if not words or filled + bits > _WORD_BITS:
            words.append(codes.astype(np.int64))
            filled = bits
        else:
            words[-1] = (words[-1] << bits) | codes
            filled += bits
    return words


def _merge(
    cell_codes: Codes, entry_codes: Codes, counts: Counts
) -> tuple[Codes, Counts, Counts, Codes, Counts, Counts]:
    """Sort by leaves, then values; add up what became equal; find where each cell begins.

    The last array has the entry that everything given became part of.
    """
    order = np.lexsort(_packed([*cell_codes, *entry_codes])[::-1])
    cells, entries = cell_codes[:, order], entry_codes[:, order]
    new_cell = np.concatenate(([True], (cells[:, 1:] != cells[:, :-1]).any(axis=0)))
    new_entry = new_cell.copy()
    new_entry[1:] |= (entries[:, 1:] != entries[:, :-1]).any(axis=0)
    entry_first = np.flatnonzero(new_entry)
    entry_counts = np.add.reduceat(counts[order], entry_first)
    starts = np.flatnonzero(new_cell[entry_first])
    entry_of: Counts = np.empty(order.shape, dtype=np.int64)
    entry_of[order] = np.cumsum(new_entry) - 1
    return (
        np.ascontiguousarray(cells[:, entry_first[starts]]),
        np.add.reduceat(entry_counts, starts),
        np.concatenate((starts, [entry_first.shape[0]])).astype(np.int64),
        np.ascontiguousarray(entries[:, entry_first]),
        entry_counts,
        entry_of,
    )
