"""Does the written file keep what was promised? Asked of the file, answered by SQL.

Nothing here uses the class tables' kernels or the measures: the promised metrics come from
those, and what is compared with them was computed by the engine from the written file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.engines.messages.released_people import PeopleQuestion
from sfumato.engines.messages.written_metrics import (
    ClassLosses,
    SensitiveMetrics,
    WrittenQuestion,
)
from sfumato.errors import UnmetError
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.hierarchies.ground_distance import EqualDistance
from sfumato.microdata.count_source import person_key
from sfumato.microdata.count_table import exact_bincount
from sfumato.microdata.roles import Role
from sfumato.plugins.member_text import read_measure, write_measure
from sfumato.release.row_spread import RowSpread
from sfumato.release.statement_question import people_statements, written_statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.arrays import Flags, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.suppression import ClassCriterion
    from sfumato.engines.messages.released_people import PeopleMetrics, ReleasedPeople
    from sfumato.engines.messages.rewrite_plan import ContentDigest, RewritePlan
    from sfumato.engines.messages.written_metrics import WrittenMetrics
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.written_column import WrittenColumn
    from sfumato.release.audit.audit import Audit
    from sfumato.release.suppressed_records import SuppressedRecords


@dataclass(frozen=True, kw_only=True, eq=False)
class Promise:
    """What a release is to be: its rows, its classes, and the metrics of the recoding.

    ``by_size`` says that no suppressed class is as large as one that is kept.
    """

    batch: ClassBatch
    blocks: tuple[WrittenColumn, ...]
    kept: Flags
    metrics: Mapping[str, float]
    totals: SuppressedRecords
    content: ContentDigest
    plan: RewritePlan
    by_size: bool

    @property
    def table(self) -> CountTable:
        """The count table that the recoding is of."""
        return self.batch.table

    def question(self, attributes: Sequence[Attribute], missing: MissingValues) -> WrittenQuestion:
        """Return what the engine is to look for in the written file."""
        table = self.table
        # A column whose values the study spells otherwise is not counted by its texts.
        plain = [column for column in table.columns.values() if not column.respelled]
        names = {column.name for column in plain}
        label = table.label.name if table.label is not None else None
        return WrittenQuestion(
            quasi_identifiers=table.names,
            sensitive=tuple(c.name for c in table.sensitive if c.name in names),
            # A label that is recoded is not in the file as it was counted.
            label=label
            if label in names
            and any(a.name == label and a.role is not Role.QUASI_IDENTIFYING for a in attributes)
            else None,
            starred=self.plan.suppressed_rows == "star" and self.totals.rows > 0,
            all_rows={
                column.name: dict(
                    zip(column.values, table.marginal(column.name).tolist(), strict=True)
                )
                for column in plain
            },
            markers=missing.markers,
            missing_label=missing.label,
            missing_is_value=missing.count_as_value,
            losses=self._class_losses()
            if any(column.by_class for column in self.blocks)
            else tuple(map(self._cell_losses, range(len(self.blocks)))),
            # Of people the file tells nothing.
            statements=None
            if table.people is not None
            else written_statements(
                self.batch,
                self.blocks,
                kept=self.kept,
                attributes=attributes,
                columns=self.plan.columns,
                missing=missing,
            ),
        )

    @property
    def largest_suppressed(self) -> int:
        """The size of the largest class that is suppressed: its people where these are counted."""
        return int(self.batch.units[~self.kept].max(initial=0))

    def people_question(
        self, attributes: Sequence[Attribute], missing: MissingValues
    ) -> PeopleQuestion | None:
        """Return what the engine is to look for in the source; None if no people are counted."""
        table, person = self.table, person_key(attributes, missing)
        if person is None:
            return None
        plain = [column for column in table.sensitive if not column.respelled]
        weights = {column.name: table.protected_marginal(column.name) for column in plain}
        return PeopleQuestion(
            person=person,
            quasi_identifiers=table.names,
            sensitive=tuple(weights),
            shares={
                column.name: dict(
                    zip(
                        column.values,
                        (weights[column.name] / weights[column.name].sum()).tolist(),
                        strict=True,
                    )
                )
                for column in plain
            },
            missing_label=missing.label,
            missing_is_value=missing.count_as_value,
            statements=people_statements(
                table, attributes=attributes, columns=self.plan.columns, missing=missing
            ),
        )

    def _cell_losses(self, q: int) -> dict[str, float]:
        """Return what a cell loses by each label."""
        losses = zip(self.blocks[q].labels, self._losses(q).tolist(), strict=True)
        return {label: loss for label, loss in losses if label is not None}

    def _class_losses(self) -> ClassLosses:
        """Return what a row of each class loses, where a label does not tell what it covers."""
        return ClassLosses(
            labels=tuple(column.labels for column in self.blocks),
            losses=np.sum([self._losses(q) for q in range(len(self.blocks))], axis=0),
        )

    def _losses(self, q: int) -> Floats:
        """Return what a cell loses by each code: its weighted share of (|block| - 1)."""
        identifier = self.table.quasi_identifiers[q]
        width = max(1, identifier.hierarchy.leaf_count - 1)
        losses: Floats = identifier.weight * ((self.blocks[q].sizes - 1) / width)
        return losses


class Recomputed(NamedTuple):
    """The names of what was recomputed by SQL: from the file, and about people from the source."""

    of_file: tuple[str, ...]
    of_people: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.of_file, *self.of_people)


def verify(
    promise: Promise,
    written: WrittenMetrics,
    identifying: Sequence[str],
    people: ReleasedPeople | None = None,
) -> Recomputed:
    """Return the names of the metrics that were checked; raise if any of them is missed.

    ``people`` are those of the source by the labels as they were written, where people count.
    """
    faults: list[str] = []
    leaked = [name for name in identifying if name in written.columns]
    if leaked:
        faults.append(f"the identifying column {', '.join(map(repr, leaked))} is in it")
    if written.columns != promise.plan.columns:
        faults.append("its columns are not those that were to be written")
    checked: list[str] = []
    if people is not None and people.classes != written.class_content:
        faults.append("its classes are not those in which people were counted")
    for name, found, expected in _metrics(promise, written, people):
        checked.append(name)
        if not _same(found, expected):
            faults.append(f"{name} is {found:.10g} and {expected:.10g} was promised")
    smallest = written.smallest if people is None else people.smallest
    if promise.by_size and promise.largest_suppressed >= smallest:
        faults.append("a class is suppressed that is as large as one that is kept")
    if written.labels != label_counts(promise):
        faults.append("the labels of a quasi-identifier are not those of the recoding")
    if written.content != promise.content:
        faults.append("its rows are not those that were to be written")
    if faults:
        raise UnmetError(
            f"the written file does not keep its promise: {'; '.join(faults)}; it was deleted",
            code="not-verified",
            remedy="if nothing else wrote to it, this is an internal error of sfumato",
        )
    about = () if people is None else _about_people(promise, people)
    return Recomputed(
        tuple(name for name in checked if name not in about),
        tuple(name for name in checked if name in about),
    )


def check_audit(promise: Promise, audit: Audit) -> None:
    """Refuse to certify metrics that an audit of the written file does not find again.

    Every promised metric that the file shows, with what is known of the suppressed rows, must be
    what the same measure gives of the classes of the written file.
    """
    found = {"the number of rows": float(audit.rows), **(audit.whole_table or {})}
    expected = {"the number of rows": float(promise.table.rows - promise.totals.rows)}
    expected |= {name: value for name, value in promise.metrics.items() if name in found}
    for name, value in expected.items():
        if not _same(found[name], value):
            raise UnmetError(
                f"{name} cannot be certified: an audit of the written file gives "
                f"{found[name]:.10g} and {value:.10g} was promised; the file was deleted",
                code="not-certified",
                key=name,
                found=f"{found[name]:.10g}",
            )


def check_required(
    required: Sequence[ClassCriterion], promise: Promise, recomputed: Recomputed, audit: Audit
) -> None:
    """Refuse a written file that misses the policy.

    Where the source took part in what was recomputed from the file, that counts. An audit has the
    file alone, and expects the worst of what it does not show.
    """
    found = dict(audit.whole_table or audit.metrics)
    found |= {name: promise.metrics[name] for name in recomputed.names if name in promise.metrics}
    for each in required:
        name = str(each.measure) if isinstance(each, MeasureCriterion) else str(each)
        value = found.get(name)
        if not isinstance(each, MeasureCriterion) or value is None or not each.met_by(value):
            raise UnmetError(
                f"the written file does not show that it meets {each}, which the policy requires; "
                "it was deleted",
                code="not-verified",
                key="require",
                found=None if value is None else f"{value:.10g}",
                expected=str(each),
                remedy="if nothing else wrote to it, this is an internal error of sfumato"
                if name in recomputed.names
                else "an audit of the file cannot tell: require what the file shows",
            )


def _same(found: float, expected: float) -> bool:
    return found == expected or math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)


def label_counts(promise: Promise) -> dict[str, dict[str | None, int]]:
    """Return the rows of every label that occurs in the kept classes."""
    batch = promise.batch
    kept = np.flatnonzero(promise.kept)
    expected: dict[str, dict[str | None, int]] = {}
    for q, column in enumerate(promise.blocks):
        rows = exact_bincount(batch.codes(q, kept), batch.sizes[kept], len(column.labels))
        shown: dict[str | None, int] = {}
        for block in np.flatnonzero(rows):
            label = column.labels[block]
            shown[label] = shown.get(label, 0) + int(rows[block])
        expected[column.name] = shown
    return expected


def _metrics(
    promise: Promise, written: WrittenMetrics, people: ReleasedPeople | None
) -> Iterator[tuple[str, float, float]]:
    """Yield every value with its value in the file and the promised one."""
    table, totals, promised = promise.table, promise.totals, promise.metrics
    yield "the number of rows", written.rows, table.rows - totals.rows
    if promise.plan.suppressed_rows == "star":
        yield "the number of starred rows", written.starred, totals.rows
    kept = int(promise.kept.sum())
    yield "the number of classes", written.classes, kept
    lost = math.fsum(loss * rows for loss, rows in written.row_losses.items())
    weight = sum(identifier.weight for identifier in table.quasi_identifiers)
    suppressed_cells = weight * totals.rows
    found: dict[str, float] = {
        "dm": written.squares + table.rows * totals.rows,
        "gl": lost,
        "sl": suppressed_cells,
        "loss": lost + suppressed_cells,
    }
    if weight:
        found["normalized-loss"] = (lost + suppressed_cells) / (weight * table.rows)
    if written.smallest:
        found["c-avg"] = written.rows / written.classes / written.smallest
    if written.majority is not None:
        found["cm"] = (written.rows - written.majority + totals.rows) / table.rows
    losses = RowSpread.of(written.row_losses.items(), suppressed=weight, times=totals.rows)
    found["row-loss-gini"] = losses.gini()
    found["row-loss-worst-tenth"] = losses.worst_tenth(greatest=True)
    found |= _size_metrics(promise, written) if people is None else _people_metrics(promise, people)
    found |= _sensitive_metrics(promise, written.sensitive if people is None else people.sensitive)
    if written.security is not None and table.statements is not None:
        gone = totals.statements
        for position, predicate in enumerate(table.statements.statements.predicates):
            satisfied = written.security.satisfied[position] + gone[str(predicate)].satisfied
            expected = int(table.statements.satisfied_rows[position])
            yield f"the rows that satisfy {str(predicate)!r}", satisfied, expected
        found["secure"] = float(written.classes > 0 and written.security.insecure == 0)
        found["sf"] = max(0.0, 1 - (written.security.risk + _risk_of_gone(promise)) / table.rows)
    if people is not None:
        yield "the number of people", people.people, table.units
        found |= _security_metrics(promise, people)
    for name, value in found.items():
        if name in promised:
            yield name, value, promised[name]


def _risk_of_gone(promise: Promise) -> float:
    """Return the sum of the risks of the suppressed rows, which are one class."""
    table, totals = promise.table, promise.totals
    assert table.statements is not None
    risk = 0.0
    for predicate, rows in zip(
        table.statements.statements.predicates,
        table.statements.satisfied_rows.tolist(),
        strict=True,
    ):
        gone = totals.statements[str(predicate)]
        if gone.satisfied and rows < table.rows:
            prior, share = math.log(rows / table.rows), math.log(gone.satisfied / totals.rows)
            risk += gone.damage * max((prior - share) / prior, 0.0)
    return risk


def _size_metrics(promise: Promise, written: WrittenMetrics) -> dict[str, float]:
    """Return what class sizes tell about all rows; the suppressed ones are one class."""
    rows, totals = promise.table.rows, promise.totals
    by_size = [(size, size * classes) for size, classes in written.class_sizes.items()]
    return {
        "k": written.smallest,
        "s-k": written.squares + totals.rows**2,
        "weighted-k": (written.squares + totals.squares) / rows,
        **_bias_metrics(promise, RowSpread.of(by_size, suppressed=totals.rows, times=totals.rows)),
        **_risk_metrics(promise, dict(by_size)),
    }


def _people_metrics(promise: Promise, people: ReleasedPeople) -> dict[str, float]:
    """Return what class sizes tell about all people, each in their smallest class."""
    sizes = people.least_people
    total = sum(size * many for size, many in sizes.items())
    found = {
        "k": people.smallest,
        "s-k": total,
        **_bias_metrics(promise, RowSpread.of(sizes.items(), suppressed=0, times=0)),
        **_risk_metrics(promise, people.least_kept_people),
    }
    if not promise.totals.rows:
        # The classes of suppressed rows are not told apart any more.
        found["weighted-k"] = total / people.people
    return found


def _about_people(promise: Promise, people: ReleasedPeople) -> set[str]:
    """Return the names of the metrics that come from the source, since they count people."""
    found = _people_metrics(promise, people) | _sensitive_metrics(promise, people.sensitive)
    return {"the number of people", *found, *_security_metrics(promise, people)}


def _security_metrics(promise: Promise, people: ReleasedPeople) -> dict[str, float]:
    """Return what is told about people who protect something; nothing where that is not known."""
    if people.security is None:
        return {}
    return {
        "secure": float(people.smallest > 0 and people.security.insecure == 0),
        "sf": max(0.0, 1 - people.security.risk / promise.table.units),
    }


def _risk_metrics(promise: Promise, sizes: Mapping[int, int]) -> dict[str, float]:
    """Return the risks of all who are released, by how many are in the smallest class of whom."""
    released = sum(sizes.values())
    if not released:
        found = {"prosecutor-risk": 1.0, "mean-prosecutor-risk": 1.0}
    else:
        risks = math.fsum(many / size for size, many in sizes.items())
        found = {"prosecutor-risk": 1 / min(sizes), "mean-prosecutor-risk": risks / released}
    for promised in promise.metrics:
        name, parameters = read_measure(promised)
        if name == "risk-above":
            threshold = Fraction(parameters.get("threshold", "0.2"))
            above = sum(many for size, many in sizes.items() if threshold * size < 1)
            found[promised] = above / released if released else 1.0
    return found


def _bias_metrics(promise: Promise, sizes: RowSpread) -> dict[str, float]:
    """Return how class sizes are spread over everybody."""
    found = {
        "class-size-gini": sizes.gini(),
        "class-size-worst-tenth": sizes.worst_tenth(greatest=False),
    }
    for promised in promise.metrics:
        name, parameters = read_measure(promised)
        if name == "class-size-quantile":
            found[promised] = sizes.quantile(parameters.get("q", "0.5"))
    return found


def _sensitive_metrics(
    promise: Promise, by_column: Mapping[str, SensitiveMetrics] | Mapping[str, PeopleMetrics]
) -> dict[str, float]:
    table = promise.table
    found: dict[str, float] = {}
    metrics: list[SensitiveMetrics | PeopleMetrics] = [*by_column.values()]
    if metrics and len(metrics) == len(table.sensitive):
        found["distinct-l"] = min(column.distinct for column in metrics)
        found["frequency-l"] = min(column.frequency for column in metrics)
        found["entropy-l"] = min(column.entropy for column in metrics)
        found["alpha"] = 1 / found["frequency-l"] if found["frequency-l"] else 1.0
        found["beta-likeness"] = max(0.0, *(column.lifts.greatest - 1 for column in metrics))
        beyond = any(column.lifts.beyond for column in metrics)
        found["enhanced-beta-likeness"] = math.inf if beyond else found["beta-likeness"]
        found["delta-disclosure"] = max(
            math.inf
            if lifts.least == 0
            else max(abs(math.log2(lifts.greatest)), abs(math.log2(lifts.least)))
            for lifts in (column.lifts for column in metrics)
        )
        distances = [column.ground_distance for column in table.sensitive]
        if all(distance is None or isinstance(distance, EqualDistance) for distance in distances):
            found["t"] = max(column.distance for column in metrics)
    for name, column in by_column.items():
        own = column.own_counts
        if isinstance(column, SensitiveMetrics):
            own += sum(n * n for n in promise.totals.values[name].values())
        found[write_measure("s-l", {"column": name})] = own
        if len(table.sensitive) == 1:
            found["s-l"] = own
    return found
