"""Anonymized tables as equivalence classes: the one model that every measure reads.

A *candidate* is a recoding of a batch together with a threshold: classes smaller than the
threshold are suppressed. Under the threshold choice ``every`` one recoding makes several
candidates; under all other policies exactly one. Criteria about size say from which size on
classes are kept; all other criteria only say which candidates meet them. Where a user asks for
the failing classes to be suppressed instead, there is no threshold: they go, smallest first,
within the limit. Of a table that was anonymized already the classes that it keeps are given.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.classes.chosen_kernels import kernels
from sfumato.classes.class_batch import SeenFrom
from sfumato.classes.suppression import NO_SUPPRESSION, Policy, Suppression, Threshold
from sfumato.classes.unit_values import size_sums
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.arrays import Counts, Flags, Floats
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import Carried, CountTable
    from sfumato.microdata.value_counts import ValueCounts

Numbers = TypeVar("Numbers", "NDArray[np.int64]", "NDArray[np.float64]")


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """The candidates of a batch and reductions over the classes that they keep.

    Numbers by class go in, one value a candidate comes out; segments and thresholds are handled
    here, so that a measure is a formula over ``sizes``, ``counts`` and ``extents``. The suppressed
    rows of a candidate are one class of their own: ``suppressed_rows`` and ``suppressed_counts``.
    Candidates of one recoding are neighbours, by rising threshold.

    A class is suppressed if its mark is below the limit of the candidate: mostly its size and the
    threshold. ``_squares`` is given where the classes that were suppressed are not in the batch one
    by one: Σ |class|² before suppression, None if it is not known.
    """

    batch: ClassBatch
    suppression: Suppression
    recoding: Counts
    thresholds: Counts
    _failing: Flags | None = None
    _kept: Flags | None = None
    _squares: int | None = None

    @classmethod
    def of(cls, batch: ClassBatch, suppression: Suppression = NO_SUPPRESSION) -> Classes:
        """Apply a suppression policy to every recoding of a batch."""
        if suppression.failing and suppression.criteria:
            return cls._without_failing(batch, suppression)
        policy, required = suppression.policy, suppression.least_size
        recoding = np.arange(batch.recodings)
        thresholds: Counts = np.zeros(batch.recodings, dtype=np.int64)
        if policy is Policy.LIMIT:
            budget = suppression.budget(batch.table.rows)
            assert budget is not None
            if suppression.threshold is Threshold.EVERY:
                return cls._with_every_threshold(batch, suppression, budget)
            suppressed: Counts = np.empty(batch.recodings, dtype=np.int64)
            kernels(batch.classes).largest_thresholds(
                batch.units, batch.sizes, batch.offsets, budget, thresholds, suppressed
            )
            if required:
                # Exactly the classes below it go; where they are too many, what the limit allows.
                thresholds = np.minimum(thresholds, batch.least_sizes_from(required))
            candidates = cls(
                batch=batch, suppression=suppression, recoding=recoding, thresholds=thresholds
            )
            if not required:
                # Known already: spare the pass that would find it again.
                candidates.__dict__["suppressed_rows"] = suppressed
            return candidates
        if policy is Policy.GIVEN_K:
            assert suppression.k is not None
            # No class has more rows than the table: a k beyond 64 bits empties it as well.
            thresholds += min(suppression.k, np.iinfo(np.int64).max)
        elif policy is Policy.BELOW_WEIGHTED_K:
            # size < (sum of squares) / N exactly if size < its ceiling, in integers.
            squares = cls(
                batch=batch, suppression=NO_SUPPRESSION, recoding=recoding, thresholds=thresholds
            ).squares
            thresholds = -(-squares // batch.table.units)
        if policy is not Policy.NONE:
            thresholds = np.maximum(thresholds, min(required, np.iinfo(np.int64).max))
        return cls(batch=batch, suppression=suppression, recoding=recoding, thresholds=thresholds)

    @classmethod
    def _with_every_threshold(
        cls, batch: ClassBatch, suppression: Suppression, budget: int
    ) -> Classes:
        starts, thresholds, suppressed = kernels(batch.classes).every_threshold(
            batch.units,
            batch.sizes,
            batch.offsets,
            budget,
            # No class has more rows than the table.
            min(suppression.least_size, np.iinfo(np.int64).max),
        )
        candidates = cls(
            batch=batch,
            suppression=suppression,
            recoding=np.repeat(np.arange(batch.recodings), np.diff(starts)),
            thresholds=thresholds,
        )
        # Known already: spare the passes that would find them again.
        candidates.__dict__["suppressed_rows"] = suppressed
        candidates.__dict__["_starts"] = starts
        return candidates

    @classmethod
    def _without_failing(cls, batch: ClassBatch, suppression: Suppression) -> Classes:
        failing = np.logical_or.reduce([each.failing(batch) for each in suppression.criteria])
        return cls(
            batch=batch,
            suppression=suppression,
            recoding=np.arange(batch.recodings),
            thresholds=np.zeros(batch.recodings, dtype=np.int64),
            _failing=failing,
        )

    @classmethod
    def of_kept(cls, batch: ClassBatch, kept: Flags, *, squares: int | None) -> Classes:
        """Return the classes of a single table of which some are known to be kept.

        All suppressed rows are one class of the batch. ``squares`` is Σ |class|² over all classes
        as they were before suppression, None if nobody knows it.
        """
        smallest = int(batch.units[kept].min()) if kept.any() else 0
        return cls(
            batch=batch,
            suppression=NO_SUPPRESSION,
            recoding=np.zeros(1, dtype=np.int64),
            thresholds=np.array([smallest], dtype=np.int64),
            _kept=kept,
            _squares=squares,
        )

    @cached_property
    def _marks(self) -> Counts:
        """What is compared with `_limits`: a class is suppressed if its mark is below.

        Mostly its size, in people where there is a person key. Where failing classes are
        suppressed, and where it is given which classes are kept, that is the mark of the
        suppressed classes alone; all others are beyond any size, and never go.
        """
        if self._kept is not None:
            return np.where(self._kept, self.table.rows + 1, self.batch.units)
        if self._failing is None:
            return self.batch.units
        return np.where(self._failing, self.batch.units, self.table.rows + 1)

    @cached_property
    def _limits(self) -> Counts:
        """The least mark that every candidate keeps: at least 1, so never a class without rows."""
        if self._kept is not None:
            return np.full(self.count, self.table.rows + 1, dtype=np.int64)
        if self._failing is None:
            return np.maximum(self.thresholds, 1)
        budget = self.suppression.budget(self.table.rows)
        assert budget is not None
        limits: Counts = np.empty(self.count, dtype=np.int64)
        suppressed: Counts = np.empty(self.count, dtype=np.int64)
        kernels(self.batch.classes).largest_thresholds(
            self._marks, self.batch.sizes, self.batch.offsets, budget, limits, suppressed
        )
        return limits

    @property
    def meets(self) -> Flags:
        """Which candidates meet the criteria: no class that is kept fails, and some are kept."""
        flags: Flags = self.violations == 0
        return flags

    @cached_property
    def violations(self) -> Counts:
        """By how much every candidate misses the criteria: the kept rows of classes that fail.

        All rows where nothing is kept. Of classes that are known to be kept, those below a given k
        and all rows that are suppressed beyond the limit count too.
        """
        failing = self._all_failing
        missed: Counts = np.zeros(self.count, dtype=np.int64)
        if failing is not None:
            missed = self.sum_kept(np.where(failing, self.batch.sizes, 0))
        if self._kept is not None:
            budget = self.suppression.budget(self.table.rows)
            if budget is not None:
                missed = missed + np.maximum(self.suppressed_rows - budget, 0)
        if failing is not None or self._kept is not None:
            missed = np.where(self.empty, self.table.rows, missed)
        return missed

    @property
    def _all_failing(self) -> Flags | None:
        """Which classes fail what is required of them; None where nothing is."""
        if self._failing is not None:
            return self._failing
        flags = [each.failing(self.batch) for each in self.suppression.criteria]
        if self._kept is not None and self.suppression.k is not None:
            # Under a given k no smaller class is kept.
            flags.append(self.batch.units < self.suppression.k)
        found: Flags | None = np.logical_or.reduce(flags) if flags else None
        return found

    @property
    def table(self) -> CountTable:
        """The count table that all classes come from."""
        return self.batch.table

    @property
    def sizes(self) -> Counts:
        """The number of rows of every class of the batch."""
        return self.batch.sizes

    @property
    def units(self) -> Counts:
        """How many every class protects: its people where there is a person key, or its rows."""
        return self.batch.units

    def counts(self, column: Carried) -> ValueCounts:
        """Return the counts of a carried column's values in every class of the batch."""
        return self.batch.counts(column)

    def extents(self, q: int) -> Counts:
        """Return |label| - 1 of quasi-identifier ``q`` in every class of the batch."""
        if SeenFrom.BLOCKS in self.batch.lacks:
            raise SettingsError(
                "this table does not show how much of the domain its labels cover",
                code="not-seen",
                remedy="a measure that needs it must set seen_from = SeenFrom.BLOCKS",
            )
        return self.batch.block_extents(q)

    @property
    def widths(self) -> Counts:
        """|domain| - 1 of every quasi-identifier, 1 where it has a single value."""
        return self.batch.widths

    @cached_property
    def squares(self) -> Counts:
        """Σ |class|² of every candidate over all its classes, as they were before suppression.

        Where people are counted it is the sum over all people of those in the smallest class
        that they are in.
        """
        if self._kept is not None:
            assert self._squares is not None, "lacks() says that it is not known"
            return np.array([self._squares], dtype=np.int64)
        if self.table.people is None:
            sizes = self.batch.sizes
            squares: Counts = np.add.reduceat(sizes * sizes, self.batch.offsets[:-1])
        else:
            squares = size_sums(Classes.of(self.batch))
        return squares[self.recoding]

    def lacks(self, seen_from: SeenFrom, *, before_suppression: bool = False) -> str | None:
        """Return why a metric that is seen from something cannot be computed; None if it can."""
        if before_suppression and self._kept is not None and self._squares is None:
            return "the classes that were suppressed are not known"
        return self.batch.lacks.get(seen_from)

    @property
    def count(self) -> int:
        """The number of candidates."""
        return int(self.recoding.shape[0])

    @cached_property
    def _single(self) -> bool:
        return self._kept is not None or self.suppression.threshold is not Threshold.EVERY

    @cached_property
    def kept(self) -> Flags:
        """Which classes are kept; only where every recoding has one threshold."""
        assert self._single
        flags: Flags = self._marks >= np.repeat(self._limits, self.batch.class_counts)
        return flags

    def kept_of(self, position: int) -> Flags:
        """Say of every class of one candidate's recoding whether the candidate keeps it."""
        start, end = self.batch.offsets[self.recoding[position] :][:2]
        flags: Flags = self._marks[start:end] >= self._limits[position]
        return flags

    def keeps(self, candidates: Counts, classes: Counts) -> Flags:
        """Say, pair by pair, whether a candidate keeps a class of its recoding."""
        flags: Flags = self._marks[classes] >= self._limits[candidates]
        return flags

    @cached_property
    def _starts(self) -> Counts:
        """Where the candidates of every recoding begin, and where the last ones end."""
        return np.searchsorted(self.recoding, np.arange(self.batch.recodings + 1))

    def _sums(self, per_class: Counts | Floats, sums: Numbers, *, kept: bool) -> Numbers:
        """Add up over all classes that each candidate keeps, or all that it suppresses."""
        kernels(self.batch.classes).sums_by_candidate(
            np.ascontiguousarray(per_class, dtype=sums.dtype),
            self._marks,
            self.batch.offsets,
            self._starts,
            self._limits,
            kept,
            sums,
        )
        return sums

    def sum_kept(self, per_class: Counts) -> Counts:
        """Add up an integer value over the kept classes of every candidate."""
        return self._sums(per_class, np.empty(self.count, dtype=np.int64), kept=True)

    def sum_suppressed(self, per_class: Counts) -> Counts:
        """Add up an integer value over the classes that every candidate suppresses.

        Only a recoding knows them one by one. Of a table that was anonymized already they are
        one class, whose labels cover the whole domains.
        """
        return self._sums(per_class, np.empty(self.count, dtype=np.int64), kept=False)

    def add_kept(self, per_class: Floats) -> Floats:
        """Add up a real value over the kept classes of every candidate."""
        if not self._single:
            return self._sums(per_class, np.empty(self.count, dtype=np.float64), kept=True)
        return np.add.reduceat(np.where(self.kept, per_class, 0.0), self.batch.offsets[:-1])

    def add_suppressed(self, per_class: Floats) -> Floats:
        """Add up a real value over the classes that every candidate suppresses, as above."""
        if not self._single:
            return self._sums(per_class, np.empty(self.count, dtype=np.float64), kept=False)
        return np.add.reduceat(np.where(self.kept, 0.0, per_class), self.batch.offsets[:-1])

    def min_kept(self, per_class: Counts | Floats, *, empty: float) -> Floats:
        """Return the least value of the kept classes, ``empty`` where nothing is kept."""
        return self._extreme(per_class, empty, greatest=False)

    def max_kept(self, per_class: Counts | Floats, *, empty: float) -> Floats:
        """Return the greatest value of the kept classes, ``empty`` where nothing is kept."""
        return self._extreme(per_class, empty, greatest=True)

    def _extreme(self, per_class: Counts | Floats, empty: float, *, greatest: bool) -> Floats:
        whole = np.issubdtype(per_class.dtype, np.integer)
        values = np.asarray(per_class, dtype=np.int64 if whole else np.float64, order="C")
        extremes: Floats = np.empty(self.count, dtype=np.float64)
        kernels(self.batch.classes).extremes_kept(
            values,
            self._marks,
            self.batch.offsets,
            self._starts,
            self._limits,
            greatest,
            empty,
            extremes,
        )
        return extremes

    @cached_property
    def suppressed_rows(self) -> Counts:
        """The number of suppressed rows of every candidate."""
        return self.sum_suppressed(self.batch.sizes)

    @cached_property
    def smallest_kept(self) -> Floats:
        """The fewest units of a kept class of every candidate; 0 where nothing is kept."""
        if self.suppression.policy is Policy.LIMIT and self._failing is None and self._kept is None:
            # A limit's thresholds are the sizes of classes: the smallest that are kept.
            return self.thresholds.astype(np.float64)
        return self.min_kept(self.batch.units, empty=0.0)

    @cached_property
    def kept_rows(self) -> Counts:
        """The number of kept rows of every candidate."""
        return self.table.rows - self.suppressed_rows

    @cached_property
    def kept_classes(self) -> Counts:
        """The number of kept classes of every candidate."""
        return self.sum_kept(np.ones(self.batch.classes, dtype=np.int64))

    @cached_property
    def empty(self) -> Flags:
        """Which candidates keep nothing at all."""
        flags: Flags = self.kept_rows == 0
        return flags

    @cached_property
    def kept_extents(self) -> Counts:
        """The sum of |block| - 1 over the kept rows: a row a candidate, a column a QI."""
        batch = self.batch
        extents = np.stack(
            [book.extents[batch.choices[self.recoding, q]] for q, book in enumerate(batch.books)],
            axis=1,
        )
        return extents - self._suppressed_extents()

    def _suppressed_extents(self) -> Counts:
        batch = self.batch
        totals: Counts = np.empty((self.count, len(batch.books)), dtype=np.int64)
        bases = np.cumsum([0, *(book.block_sizes.size for book in batch.books)])[:-1]
        leaves = np.array([book.leaves for book in batch.books], dtype=np.int64)
        kernels(batch.classes).extents_below(
            batch.keys,
            self._marks,
            batch.sizes,
            batch.offsets,
            self._starts,
            self._limits,
            batch.layout.word_of,
            batch.layout.shift_of,
            batch.layout.bits_of,
            bases + batch.choices * leaves,
            np.concatenate([book.block_sizes.ravel() for book in batch.books]),
            totals,
        )
        return totals

    def suppressed_counts(self, column: Carried) -> Counts:
        """Return the counts of a carried column's values among the suppressed rows.

        A row for each candidate, a column for each value: the suppressed rows as one class.
        """
        counts = self.batch.counts(column)
        starts = self._starts
        # Every entry enters at the first candidate that suppresses its class, and stays.
        leaving: Counts = np.empty(self.batch.classes, dtype=np.int64)
        kernels(self.batch.classes).leaving(
            self._marks, self.batch.offsets, starts, self._limits, leaving
        )
        gone = leaving < np.repeat(starts[1:], self.batch.class_counts)
        lengths = np.diff(counts.starts)
        entry_gone = np.repeat(gone, lengths)
        totals: Counts = np.zeros((self.count, self.table.width_of(column)), dtype=np.int64)
        places = np.repeat(leaving, lengths)[entry_gone]
        np.add.at(totals, (places, counts.values[entry_gone]), counts.counts[entry_gone])
        if not self._single:
            for start, end in itertools.pairwise(starts.tolist()):
                np.cumsum(totals[start:end], axis=0, out=totals[start:end])
        return totals
