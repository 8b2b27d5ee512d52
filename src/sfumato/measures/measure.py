"""What a measure is: a named value of a recoding, with its direction, its scale and its bounds."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from sfumato.classes.class_batch import SeenFrom as SeenFrom
from sfumato.errors import SettingsError
from sfumato.errors.hint import Hint
from sfumato.errors.listing import listed
from sfumato.measures.explained import Explained
from sfumato.measures.sensitive_column import sensitive_columns
from sfumato.microdata.count_table import statements_of
from sfumato.plugins.member_text import write_measure
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import Carried, CountTable


class Scale(enum.StrEnum):
    """How equal steps of a metric compare, which decides its axis and how it is written."""

    LINEAR = "linear"
    """Equal differences are equal steps."""
    LOGARITHMIC = "logarithmic"
    """A count that spans orders of magnitude: equal ratios are equal steps."""
    SHARE = "share"
    """A part of a whole between 0 and 1, read in percent."""


class Direction(enum.StrEnum):
    """Whether more or less of a value is better."""

    HIGHER = "higher"
    LOWER = "lower"


class Monotone(enum.StrEnum):
    """How a value moves along generalization when nothing is suppressed."""

    RISES = "rises"
    FALLS = "falls"
    NO = "no"


class Kind(enum.StrEnum):
    """What a value is about."""

    PRIVACY = "privacy"
    LOSS = "loss"


class Proved(enum.StrEnum):
    """Where the bound of a measure is proved."""

    NOWHERE = "nowhere"
    LIMITED = "limited"
    """Wherever a limit says how many rows can be suppressed."""
    ANYWHERE = "anywhere"
    """Under every suppression policy."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """The part of the lattice between two nodes, as bounds see it.

    ``finest`` and ``coarsest`` are the evidence of nodes below and above all of it, usually its
    corners, as the measure's own `evidence` returned it (None if there is none yet). ``budget``
    is the greatest number of rows that can be suppressed in the box.
    """

    finest_levels: tuple[int, ...]
    finest: Floats | None
    coarsest: Floats | None
    budget: int


ROUNDING = 1e-9
"""The relative slack of bounds that pass through rounding."""


@dataclass(frozen=True, kw_only=True)
class Measure(Explained, ABC):
    """A metric: a value for every candidate of a batch.

    A subclass is a file of its own in this folder; nothing else has to know it. It sets the
    class variables, defines `evaluate` in NumPy over the batch, and, if there is a proof in
    ``docs/method.md``, `bound`. Instances are frozen dataclasses: their fields are parameters.
    Their text, like ``recursive-l(c=3)``, is what `sfumato.measures.catalogue.measure` reads.
    """

    name: ClassVar[str]
    kind: ClassVar[Kind]
    direction: ClassVar[Direction]
    monotone: ClassVar[Monotone]
    reference: ClassVar[str]
    scale: ClassVar[Scale] = Scale.LINEAR
    """Whether pages read it in percent or draw it on a logarithmic axis."""
    counts: ClassVar[bool] = False
    """Whether it counts rows, cells, values, … so that a difference below 1 means little."""
    needs_sensitive: ClassVar[bool] = False
    needs_label: ClassVar[bool] = False
    needs_statements: ClassVar[bool] = False
    """Whether it is about the confidential statements of the study."""
    needs_levels: ClassVar[bool] = False
    """Whether it is about the levels of a lattice, which other recodings do not have."""
    seen_from: ClassVar[SeenFrom] = SeenFrom.CLASSES
    """What must be known of an anonymized table before this can be computed of it."""
    before_suppression: ClassVar[bool] = False
    """Whether it looks at the classes as they were before some were suppressed."""
    rows_bound_people: ClassVar[bool] = False
    """Whether no value in people is better than that in rows, which any table shows."""

    def __str__(self) -> str:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        said = {f.name: given[f.name] for f in fields(self) if given[f.name] != f.default}
        return write_measure(self.name, said)

    @classmethod
    def counts_people(cls) -> bool:
        """Say whether it counts people where there is a person key: losses stay those of rows."""
        return cls.kind is Kind.PRIVACY

    @classmethod
    def variants(cls, table: CountTable) -> tuple[Self, ...]:
        """Return the measures of this class that a table supports without further settings."""
        if any(f.default is MISSING and f.default_factory is MISSING for f in fields(cls)):
            return ()
        default = cls()
        try:
            default.check(table)
        except SettingsError:
            return ()
        return (default,)

    def carries(self, table: CountTable) -> tuple[Carried, ...]:
        """Return the columns whose value counts the class tables must carry for this measure."""
        self.check(table)
        if self.needs_sensitive:
            # A loss counts rows, whoever they are about.
            privacy = self.kind is Kind.PRIVACY
            return tuple(table.protected(c.name) if privacy else c.name for c in table.sensitive)
        if self.needs_label:
            assert table.label is not None
            return (table.label.name,)
        if self.needs_statements:
            return (table.protected(StatementPatterns()),)
        return ()

    def check(self, table: CountTable) -> None:
        """Refuse a table without what this measure needs."""
        asker = f"measure {self.name!r}"
        if self.needs_sensitive:
            sensitive_columns(table, asker=asker)
        if self.needs_label and table.label is None:
            raise SettingsError(
                f"{asker} needs a class label and the study has none",
                code="no-label",
                remedy=Hint(
                    python="mark a column with label=True",
                    file="mark a column with label = true",
                ),
            )
        with_minimum = [q.name for q in table.quasi_identifiers if q.minimum_level]
        if self.needs_values and with_minimum:
            raise SettingsError(
                f"{asker} needs the original values, and column {listed(with_minimum)} was "
                "counted by the blocks of its minimum level",
                code="below-minimum-level",
                column=with_minimum[0],
                remedy="leave out the minimum level, or choose another measure, like 'loss'",
            )
        if self.needs_statements:
            statements_of(table, asker=asker)

    @property
    def needs_values(self) -> bool:
        """Whether it needs the values themselves, which a minimum level leaves uncounted."""
        return self.seen_from is SeenFrom.ORIGINALS

    def lacking(self, classes: Classes) -> str | None:
        """Return why this cannot be computed of some classes; None if it can."""
        if self.needs_statements and classes.table.statements is None:
            return "confidential statements were not counted with these rows"
        reason = classes.lacks(self.seen_from, before_suppression=self.before_suppression)
        if reason is None and self.kind is Kind.PRIVACY:
            return classes.lacks(SeenFrom.PEOPLE)
        return reason

    @abstractmethod
    def evaluate(self, classes: Classes) -> Floats:
        """Return the value of every candidate."""

    def class_values(self, batch: ClassBatch) -> Floats | Counts | None:  # noqa: ARG002
        """Return the value of every class by itself, if the measure is the worst over kept classes.

        None if it is not, so that no class meets or misses a threshold by itself.
        """
        return None

    def inherited(self, table: CountTable) -> bool:
        """Say whether all classes of a coarser recoding meet what all of a finer one do.

        It is about a measure of classes one by one. Where people are in several cells, merging
        classes can raise the share of those who have a value.
        """
        return not (self.kind is Kind.PRIVACY and table.people_in_several_cells)

    def not_inherited(self, table: CountTable) -> str:
        """Return why `inherited` does not hold."""
        if not table.people_in_several_cells:
            return f"merging classes can raise {self.name}"
        return (
            "some people are in several cells, so that more of them can have a value in common "
            "when classes merge"
        )

    def parts_fail_too(self, table: CountTable) -> bool:  # noqa: ARG002
        """Say whether all parts of a class miss every value that the class misses.

        For which measures that is so is proved in docs/method.md.
        """
        return False

    bound_proved: ClassVar[Proved] = Proved.NOWHERE
    """Where the bound holds, unless `has_bound` says more."""

    bound_needs_finest: ClassVar[bool] = False
    """Whether `bound` looks at the evidence of the finest corner."""

    bound_needs_coarsest: ClassVar[bool] = False
    """Whether `bound` looks at the evidence of the coarsest corner."""

    def has_bound(self, tables: ClassTables, budget: int | None) -> bool:
        """Say whether `bound` is proved where at most ``budget`` rows go (None: any number).

        Bounds of privacy are proved for people who add up when classes merge. Where some are in
        several cells a measure that has a proof says so itself (docs/method.md).
        """
        if self.kind is Kind.PRIVACY and tables.table.people_in_several_cells:
            return False
        return proved(self.bound_proved, budget)

    def evidence(self, classes: Classes, budget: int) -> Floats:  # noqa: ARG002
        """Return what `bound` needs to know of a corner: a row of numbers for each candidate.

        ``classes`` are those of the corner nodes *without* suppression. By default the evidence
        is the value itself.
        """
        return column_of(self.evaluate(classes))

    def bound(self, box: Box, tables: ClassTables) -> float:  # noqa: ARG002
        """Return a value at least as good as that of every candidate in the box.

        By default it is the first number of the one corner that it looks at.
        """
        if self.bound_needs_finest == self.bound_needs_coarsest:
            raise SettingsError(
                f"measure {self.name!r} declares a bound but has none",
                code="no-bound",
                remedy="define bound(), or set one of bound_needs_finest and bound_needs_coarsest",
            )
        corner = box.finest if self.bound_needs_finest else box.coarsest
        return self.best if corner is None else float(corner[0])

    @property
    def best(self) -> float:
        """The best value there is: the bound while a corner is not evaluated."""
        return float("inf") if self.direction is Direction.HIGHER else float("-inf")

    def relaxed(self, values: Floats) -> Floats:
        """Return slightly better values: bounds that survive rounding."""
        better = 1.0 if self.direction is Direction.HIGHER else -1.0
        return values * (1.0 + better * ROUNDING * np.sign(values))


def proved(where: Proved, budget: int | None) -> bool:
    """Say whether what is proved somewhere holds where at most ``budget`` rows go."""
    if budget is None:
        return where is Proved.ANYWHERE
    return where is not Proved.NOWHERE


def column_of(values: Floats | Counts) -> Floats:
    """Return one value for each candidate as the single column of an evidence array."""
    return values.astype("float64").reshape(-1, 1)
