"""The error of COUNT queries, from class tables alone (LeFevre et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from sfumato.errors import SettingsError
from sfumato.measures.drawn_leaves import drawn_leaves
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, SeenFrom
from sfumato.microdata.count_table import Leaves

if TYPE_CHECKING:
    from sfumato.arrays import Flags, Floats
    from sfumato.classes.classes import Classes
    from sfumato.microdata.count_table import CountTable

Asked = dict[int, "Flags"]
"""A query: the leaves that it means, by the place of the quasi-identifier."""
_TRIES = 100


@dataclass(frozen=True, kw_only=True)
class QueryError(Measure):
    """The median of |answer - truth| / truth over random COUNT queries about quasi-identifiers.

    The answer is Σ over kept classes of size × Π over the asked columns of the part of the label
    that is meant: rows are spread evenly over their label. Suppressed rows answer nothing. Every
    query asks for ``columns`` quasi-identifiers, and of each for so many values that about a share
    of ``selectivity`` of all combinations is meant. Only queries with a truth above 0 are drawn;
    the same ``seed`` draws the same ``queries`` of a table.
    """

    name: ClassVar[str] = "query-error"
    kind: ClassVar[Kind] = Kind.LOSS
    direction: ClassVar[Direction] = Direction.LOWER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "LeFevre et al. 2006; Xiao & Tao 2006"
    unit: ClassVar[str] = "median relative error"
    meaning: ClassVar[str] = (
        "How far answers to COUNT queries are off, in the median of random queries: an error of "
        "0.1 is a count that is 10 % too high or too low."
    )
    seen_from: ClassVar[SeenFrom] = SeenFrom.ORIGINALS

    queries: int = 100
    columns: int = 2
    selectivity: float = 0.05
    seed: int = 1

    def __post_init__(self) -> None:
        for key, least in (("queries", 1), ("columns", 1), ("seed", 0)):
            number = getattr(self, key)
            if not isinstance(number, int) or isinstance(number, bool) or number < least:
                raise SettingsError(
                    code="out-of-range",
                    key=key,
                    found=str(number),
                    expected=f"a whole number from {least} up",
                )
        if not 0 < self.selectivity <= 1:
            raise SettingsError(
                code="out-of-range",
                key="selectivity",
                found=str(self.selectivity),
                expected="a share above 0 and up to 1",
            )

    @classmethod
    def variants(cls, table: CountTable) -> tuple[Self, ...]:  # noqa: ARG003
        """Return none: a hundred queries for every candidate take too long where nobody asks."""
        return ()

    def lacking(self, classes: Classes) -> str | None:
        """Return why this cannot be computed of some classes; None if it can."""
        reason = super().lacking(classes)
        if reason is not None:
            return reason
        for book in classes.batch.books:
            if book.shares(np.zeros(book.leaves, dtype=np.bool_)) is None:
                return "it is not known which values the labels cover"
        return None

    def drawn(self, table: CountTable) -> tuple[tuple[Asked, int], ...]:
        """Return the queries with their true answers."""
        rng = np.random.default_rng(self.seed)
        occurring = [np.flatnonzero(table.marginal(Leaves(name))) for name in table.names]
        asked = min(self.columns, len(occurring))
        share = self.selectivity ** (1 / asked)
        found: list[tuple[Asked, int]] = []
        tries = 0
        while len(found) < self.queries:
            tries += 1
            places = sorted(rng.choice(len(occurring), size=asked, replace=False).tolist())
            if tries <= _TRIES * self.queries:
                leaves = {
                    q: drawn_leaves(
                        rng, occurring[q], share, ordered=table.hierarchies[q].domain.ordered
                    )
                    for q in places
                }
            else:
                # Where hardly any query has an answer, they are about values that somebody has.
                cell = int(rng.integers(table.cells))
                leaves = {q: table.cell_codes[q, cell : cell + 1].astype(np.int64) for q in places}
            query = {
                q: np.isin(np.arange(table.hierarchies[q].leaf_count), meant)
                for q, meant in leaves.items()
            }
            inside = np.logical_and.reduce([query[q][table.cell_codes[q]] for q in places])
            truth = int(table.cell_sizes[inside].sum())
            if truth:
                found.append((query, truth))
        return tuple(found)

    def evaluate(self, classes: Classes) -> Floats:
        """Return the median error of every candidate."""
        batch = classes.batch
        pages = [batch.choices[batch.recoding_of, q] for q in range(len(batch.books))]
        codes = [batch.codes(q) for q in range(len(batch.books))]
        errors = []
        for query, truth in self.drawn(classes.table):
            rows = batch.sizes.astype(np.float64)
            for q, meant in query.items():
                shares = batch.books[q].shares(meant)
                assert shares is not None, "lacking() says that they are not known"
                rows = rows * shares[pages[q], codes[q]]
            errors.append(np.abs(classes.add_kept(rows) - truth) / truth)
        found: Floats = np.median(np.stack(errors), axis=0)
        return found
