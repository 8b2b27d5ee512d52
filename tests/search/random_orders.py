"""Random tables whose columns have random admissible partitions, and what must be found there.

The judge knows no order and prunes nothing: it groups the rows of every recoding in a dictionary,
asks every criterion of every class, and compares all recodings that meet them with each other.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.microdata.count_table import CountTable

Class = Counter[str]


@dataclass(frozen=True, kw_only=True)
class RandomOrders:
    """Rows of leaf numbers and a sensitive value; for every column its partitions by name."""

    leaves: tuple[int, ...]
    partitions: tuple[dict[str, tuple[int, ...]], ...]
    rows: tuple[tuple[tuple[int, ...], str], ...]

    @cached_property
    def admissible(self) -> tuple[AdmissiblePartitions, ...]:
        return tuple(
            AdmissiblePartitions.of(
                {name: [f"b{block}" for block in blocks] for name, blocks in given.items()},
                values=[f"v{leaf}" for leaf in range(count)],
                name=f"q{q}",
            )
            for q, (count, given) in enumerate(zip(self.leaves, self.partitions, strict=True))
        )

    @cached_property
    def counted(self) -> CountTable:
        columns = {f"q{q}": [f"v{row[q]}" for row, _ in self.rows] for q in range(len(self.leaves))}
        columns["s"] = [value for _, value in self.rows]
        return build_count_table(
            GroupedCounts.of_rows(columns),
            [
                *(quasi_identifying(f"q{q}", each) for q, each in enumerate(self.admissible)),
                sensitive("s"),
            ],
        )

    @cached_property
    def choices(self) -> list[dict[str, tuple[int, ...]]]:
        """All partitions of every column by name, the two ends among them."""
        return [
            {each.names[p]: tuple(each.levels[p].tolist()) for p in range(each.height + 1)}
            for each in self.admissible
        ]

    def classes(self, names: Sequence[str]) -> list[Class]:
        found: defaultdict[tuple[int, ...], Class] = defaultdict(Counter)
        for leaves, value in self.rows:
            key = tuple(
                self.choices[q][name][leaf]
                for q, (name, leaf) in enumerate(zip(names, leaves, strict=True))
            )
            found[key][value] += 1
        return list(found.values())

    def finer(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """Whether a recoding is at least as specific as another: every pair that it joins."""
        return all(
            b[x] == b[y]
            for q, (one, other) in enumerate(zip(first, second, strict=True))
            for a, b in [(self.choices[q][one], self.choices[q][other])]
            for x, y in itertools.combinations(range(len(a)), 2)
            if a[x] == a[y]
        )

    def meeting(
        self, criteria: Sequence[Callable[[Class, Class], bool]], budget: int
    ) -> set[tuple[str, ...]]:
        """Return all recodings that meet the criteria if their failing classes are suppressed."""
        whole: Class = Counter(value for _, value in self.rows)
        found = set()
        for names in itertools.product(*self.choices):
            failing = sum(
                c.total() for c in self.classes(names) if not all(ok(c, whole) for ok in criteria)
            )
            if failing <= budget and failing < len(self.rows):
                found.add(names)
        return found

    def meeting_by_size(
        self, criteria: Sequence[Callable[[Class, Class], bool]], budget: int, *, least: int
    ) -> set[tuple[str, ...]]:
        """Return all recodings that meet the criteria when rows are suppressed by size.

        ``least`` is the least size of a class that the criteria ask for; 0 if they ask for none.
        """
        return {
            names
            for names in itertools.product(*self.choices)
            if self.kept_by_size(names, criteria, budget, least=least) is not None
        }

    def kept_by_size(
        self,
        names: Sequence[str],
        criteria: Sequence[Callable[[Class, Class], bool]],
        budget: int,
        *,
        least: int,
    ) -> list[Class] | None:
        """Return the classes that are kept, None if that is too few or one of them fails."""
        whole: Class = Counter(value for _, value in self.rows)
        classes = sorted(self.classes(names), key=Counter.total)
        sizes = [c.total() for c in classes]
        within = [s for s in set(sizes) if sum(t for t in sizes if t < s) <= budget]
        smallest = least or max(within)
        kept = [c for c in classes if c.total() >= smallest]
        gone = sum(c.total() for c in classes if c.total() < smallest)
        met = all(ok(c, whole) for c in kept for ok in criteria)
        return kept if kept and gone <= budget and met else None

    def minimal(self, meeting: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
        return {
            one
            for one in meeting
            if not any(other != one and self.finer(other, one) for other in meeting)
        }


def _set_partitions(rng: random.Random, leaves: int) -> tuple[int, ...]:
    blocks = [rng.randrange(leaves) for _ in range(leaves)]
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(block, len(numbers)) for block in blocks)


@st.composite
def random_orders(draw: st.DrawFn, *, most_columns: int = 3, most_rows: int = 25) -> RandomOrders:
    """Draw a table; partitions are random set partitions, so that most orders are not graded."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    leaves = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=most_columns)))
    partitions = []
    for count in leaves:
        different = {
            blocks
            for _ in range(draw(st.integers(0, 4)))
            if 1 < max(blocks := _set_partitions(rng, count)) + 1 < count
        }
        partitions.append({f"p{i}": blocks for i, blocks in enumerate(sorted(different))})
    rows = tuple(
        (tuple(rng.randrange(count) for count in leaves), rng.choice("abbccc"))
        for _ in range(draw(st.integers(1, most_rows)))
    )
    return RandomOrders(leaves=leaves, partitions=tuple(partitions), rows=rows)


def k_at_least(k: int) -> Callable[[Class, Class], bool]:
    return lambda members, _: members.total() >= k


def values_at_least(count: int) -> Callable[[Class, Class], bool]:
    return lambda members, _: len(members) >= count


def shares_at_most(bound: Fraction) -> Callable[[Class, Class], bool]:
    """Frequency ℓ: |class| / the largest count is at least the bound."""
    return lambda members, _: Fraction(members.total(), max(members.values())) >= bound


def entropy_at_least(bound: float) -> Callable[[Class, Class], bool]:
    def met(members: Class, _: Class) -> bool:
        shares = [n / members.total() for n in members.values()]
        return math.exp(-sum(p * math.log(p) for p in shares)) >= bound * (1 - 1e-11)

    return met


def recursive(c: int, ell: int) -> Callable[[Class, Class], bool]:
    def met(members: Class, _: Class) -> bool:
        counts = sorted(members.values(), reverse=True)
        return counts[0] < c * sum(counts[ell - 1 :])

    return met


def closeness(bound: Fraction) -> Callable[[Class, Class], bool]:
    """t: half the sum of the differences of shares, for equal ground distances."""

    def met(members: Class, whole: Class) -> bool:
        distance = sum(
            abs(Fraction(members[v], members.total()) - Fraction(n, whole.total()))
            for v, n in whole.items()
        )
        return distance / 2 <= bound

    return met
