"""The metrics of the whole table: those of the kept rows, and what is known of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.class_tables import ClassTables
from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.errors import SettingsError, SourceError
from sfumato.errors.listing import listed
from sfumato.hierarchies.builders.flat import Flat
from sfumato.measures.catalogue import measure
from sfumato.measures.confidentiality.information_gain import information_gain
from sfumato.measures.confidentiality.security import satisfying_rows
from sfumato.measures.confidentiality.sf_ql import SfQl
from sfumato.measures.equity.row_spread import ClassSizeSpread, RowLossSpread
from sfumato.measures.equity.row_values import RowValues
from sfumato.measures.privacy.earth_movers_distance import earth_movers_distance
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive
from sfumato.plugins.member_text import write_measure
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.measures.measure import Measure
    from sfumato.microdata.count_table import CountedColumn
    from sfumato.microdata.roles import Attribute
    from sfumato.release.suppressed_totals import SuppressedTotals


def whole_table_metrics(
    kept: Mapping[str, float],
    *,
    batch: ClassBatch,
    totals: SuppressedTotals,
    identifiers: Sequence[Attribute],
    row_losses: Floats | None = None,
    qualities: Mapping[str, float],
) -> dict[str, float]:
    """Return the metrics with the suppressed rows counted as SPEC §§1-3 count them.

    They are one class of their own in s-k and s-l, cost N each in dm and a whole row of cells in
    the losses, and belong to what weighted-k and t are taken of. Metrics of the kept rows alone,
    such as k and the kinds of ℓ, stay as they are. ``row_losses`` is what every class loses by
    row, where that is known; ``qualities`` has ql by the texts of the measures that need it.
    """
    squares = int((batch.sizes * batch.sizes).sum())
    rows = batch.table.rows + totals.rows
    weight = sum(attribute.weight for attribute in identifiers)
    metrics = dict(kept)
    metrics["s-k"] = float(squares + totals.rows**2)
    metrics["weighted-k"] = (squares + totals.squares) / rows
    metrics["dm"] = float(squares + rows * totals.rows)
    if "gl" in kept:
        metrics["sl"] = weight * totals.rows
        metrics["loss"] = kept["gl"] + metrics["sl"]
        metrics["normalized-loss"] = metrics["loss"] / (weight * rows) if weight else 0.0
    if "cm" in kept:
        metrics["cm"] = (kept["cm"] * batch.table.rows + totals.rows) / rows
    metrics |= _spread_over_rows(kept, batch.sizes, totals.rows, row_losses, weight)
    columns = batch.table.sensitive
    unknown = [column.name for column in columns if column.name not in totals.values]
    if unknown:
        raise SourceError(
            f"the private certificate tells nothing of the sensitive column {listed(unknown)}: it "
            "is of another study"
        )
    for column in columns:
        own = sum(count * count for count in totals.values[column.name].values())
        for name in ("s-l", write_measure("s-l", {"column": column.name})):
            if name in kept:
                metrics[name] = kept[name] + own
    if "sf" in kept:
        metrics["sf"] = _security(batch, totals)
        products = [name for name in kept if isinstance(_known(name), SfQl)]
        metrics |= {name: metrics["sf"] * qualities[name] for name in products}
    if "t" in kept:
        metrics["t"] = max(_distance(batch, column, totals) for column in columns)
    return metrics


def _spread_over_rows(
    kept: Mapping[str, float],
    sizes: Counts,
    suppressed: int,
    row_losses: Floats | None,
    weight: float,
) -> dict[str, float]:
    """Return the metrics of how class sizes and losses are spread over all rows."""
    if not suppressed:
        return {}
    all_sizes = np.append(sizes, suppressed)
    found: dict[str, float] = {}
    for name in kept:
        spread = _known(name)
        if isinstance(spread, ClassSizeSpread):
            by_row = RowValues.of_classes(all_sizes, all_sizes)
        elif isinstance(spread, RowLossSpread) and row_losses is not None:
            by_row = RowValues.of_classes(np.append(row_losses, weight), all_sizes)
        else:
            continue
        found[name] = float(spread.metric(by_row)[0])
    return found


def _known(name: str) -> Measure | None:
    """Return the measure of a name, None if it is one of the user's own."""
    try:
        return measure(name)
    except SettingsError:
        return None


def _security(batch: ClassBatch, totals: SuppressedTotals) -> float:
    """Return sf of all rows, the suppressed ones being one class."""
    statements = batch.table.statements
    assert statements is not None
    unknown = [str(s) for s in statements.statements.predicates if str(s) not in totals.statements]
    if unknown:
        raise SourceError(
            f"the private certificate tells nothing of the statement {listed(unknown)}: it is of "
            "another study"
        )
    rows = batch.table.rows + totals.rows
    sizes = np.append(batch.sizes, totals.rows) if totals.rows else batch.sizes
    counts = batch.counts(StatementPatterns())
    risk = 0.0
    for position, predicate in enumerate(statements.statements.predicates):
        gone = totals.statements[str(predicate)]
        satisfying = satisfying_rows(batch, position)
        damages = np.add.reduceat(
            counts.counts * statements.damages[counts.values, position], counts.starts[:-1]
        )
        if totals.rows:
            satisfying = np.append(satisfying, gone.satisfied)
            damages = np.append(damages, gone.damage)
        prior = (int(statements.satisfied_rows[position]) + gone.satisfied) / rows
        risk += float((damages * information_gain(satisfying, sizes, prior=prior)).sum())
    return max(0.0, 1 - risk / rows)


def _distance(batch: ClassBatch, column: CountedColumn, totals: SuppressedTotals) -> float:
    """Return the greatest distance of a kept class to all rows, in view of one column.

    A table of two columns is counted anew, the class and the value, with the suppressed rows as
    one more class: so the domain of the values is that of the whole table.
    """
    counts = batch.counts(column.name)
    classes = np.repeat(np.arange(batch.classes), np.diff(counts.starts))
    beyond = totals.values[column.name]
    texts = tuple(dict.fromkeys([*column.values, *beyond]))
    place = {text: code for code, text in enumerate(texts)}
    names = tuple(str(number) for number in range(batch.classes + 1))
    grouped = GroupedCounts(
        columns={
            "class": GroupedColumn(
                values=names,
                codes=np.concatenate((classes, np.full(len(beyond), batch.classes))).astype(
                    np.int32
                ),
            ),
            "value": GroupedColumn(
                values=texts,
                codes=np.concatenate(
                    (counts.values, np.array([place[text] for text in beyond], dtype=np.int32))
                ).astype(np.int32),
            ),
        },
        counts=np.concatenate(
            (counts.counts, np.array(list(beyond.values()), dtype=np.int64))
        ).astype(np.int64),
    )
    table = build_count_table(
        grouped,
        [
            quasi_identifying("class", Flat(values=names)),
            sensitive("value", ground_distance=column.ground_distance),
        ],
    )
    with_values = ClassTables(table=table, carries=("value",))
    together = with_values.group(np.zeros((1, 1), dtype=np.int64))
    distances = earth_movers_distance(together, table.sensitive[0])
    kept = together.codes(0) < batch.classes
    return float(distances[kept].max())
