"""What an audit finds of a table, and whether the table meets what is required of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.front.decisions.criterion import MeasureCriterion
from sfumato.measures.value_text import measured_text
from sfumato.pages.notebook import notebook_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.findings.finding import Finding
    from sfumato.front.decisions.pick_rule import Constraint

MET = "met"
UNDECIDED = "not measurable from this file: needs the person key or the source"


@dataclass(frozen=True, kw_only=True, repr=False)
class Audit:
    """The metrics of a table as it stands.

    ``metrics`` are those of its rows, without the ``starred`` ones, which have ``*`` in every
    quasi-identifier: a table alone does not tell how many rows were left out, so that weighted-k,
    s-k, dm, t and the losses are those of the kept rows. ``whole_table`` counts the suppressed
    rows too; it needs their totals. ``levels`` has the level of every quasi-identifier, None
    where there is no single one. ``not_measured`` says why a value is missing, and ``findings``
    what a publisher should look at: ``identifying`` columns that are in the table, columns that
    are ``unknown`` to the study, and those that are not there. ``statistics`` has the statistic
    that the cells of every quasi-identifier show, if a certificate says that they do, ``labels``
    how many different texts they have.

    ``policy`` is what the study requires of a release, ``counts_people`` says that it has a person
    key: metrics of privacy are those of people, or not measured. Of what is not measured,
    ``needs_people`` lacks nothing but whom the rows are about. ``by_rows`` has the values in rows
    of those that cannot be better in people.
    """

    rows: int
    starred: int
    classes: int
    metrics: Mapping[str, float]
    whole_table: Mapping[str, float] | None
    levels: Mapping[str, int | None]
    not_measured: Mapping[str, str]
    identifying: tuple[str, ...]
    unknown: tuple[str, ...]
    findings: tuple[Finding, ...]
    statistics: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)
    needs_people: tuple[str, ...] = ()
    by_rows: Mapping[str, float] = field(default_factory=dict)
    policy: tuple[ClassCriterion, ...] = ()
    counts_people: bool = False

    def __repr__(self) -> str:
        k = f", k {measured_text('k', self.values['k'])}" if "k" in self.values else ""
        columns = ", ".join(self.levels)
        found = counted(len(self.findings), "finding")
        return f"<Audit of {counted(self.rows, 'row')} by {columns}{k}; {found}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        reasons = dict.fromkeys(self.not_measured.values())
        unmeasured = {
            why: ", ".join(name for name, own in self.not_measured.items() if own == why)
            for why in reasons
        }
        k = f"k = {measured_text('k', self.values['k'])}: " if "k" in self.values else ""
        return notebook_table(
            f"{k}{counted(self.rows, 'row')} in {counted(self.classes, 'class', 'classes')} of "
            f"rows that are equal in {', '.join(self.levels)}",
            ("measure", "value"),
            [(name, measured_text(name, value)) for name, value in self.values.items()],
            notes=(
                *(f"required {bound}: {said}" for bound, said in self.requirements.items()),
                *(f"finding: {each}" for each in self.findings),
                *(f"not measured: {names}: {why}" for why, names in unmeasured.items()),
            ),
            most=None,
        )

    @property
    def values(self) -> Mapping[str, float]:
        """The metrics of the whole table if they are known, else of its kept rows."""
        return self.metrics if self.whole_table is None else self.whole_table

    @property
    def requirements(self) -> dict[str, str]:
        """Whether every part of the policy is met, and if not, why."""
        return {str(each): self._verdict(each) for each in self.policy}

    @property
    def unmet(self) -> tuple[str, ...]:
        """The parts of the policy that are not met, or that nobody could measure."""
        return unmet_of(self.requirements)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The parts of the policy that count people, of whom this table does not tell."""
        return undecided_of(self.requirements)

    @property
    def passes(self) -> bool:
        """Whether nothing is known to be wrong: no part is unmet, no column one to leave out.

        What is undecided does not count.
        """
        return not (self.unmet or self.identifying or self.unknown)

    def asked(self, constraint: Constraint, name: str) -> str:
        """Say whether a bound holds that was asked for explicitly; ``name`` is its metric.

        Unlike a part of the policy it is never undecided: who asks is told if there is no answer.
        """
        if name not in self.values:
            return f"cannot be measured: {self.not_measured[name]}"
        return _said(self.values[name], met=constraint.holds(self.values[name]))

    def _verdict(self, required: ClassCriterion) -> str:
        assert isinstance(required, MeasureCriterion)
        name = str(required.measure)
        if name in self.values:
            return _said(self.values[name], met=required.met_by(self.values[name]))
        in_rows = self.by_rows.get(name)
        if in_rows is not None and not required.met_by(in_rows):
            return f"not met: even in rows, of which people may have several, it is {in_rows:.10g}"
        if name in self.needs_people:
            return UNDECIDED
        return f"cannot be measured: {self.not_measured.get(name, 'it is not known how')}"


def unmet_of(requirements: Mapping[str, str]) -> tuple[str, ...]:
    """Return the bounds that are neither met nor undecided."""
    return tuple(bound for bound, said in requirements.items() if said not in (MET, UNDECIDED))


def undecided_of(requirements: Mapping[str, str]) -> tuple[str, ...]:
    """Return the bounds of which the table does not tell."""
    return tuple(bound for bound, said in requirements.items() if said == UNDECIDED)


def _said(value: float, *, met: bool) -> str:
    return MET if met else f"not met: it is {value:.10g}"
