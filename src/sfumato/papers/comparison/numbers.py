"""Every number of §§1 to 5 of the Comparison paper, computed beside what is printed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.compare.catalogue import property_named
from sfumato.compare.comparators.weighted import Weighted
from sfumato.compare.indices.coverage import Coverage
from sfumato.compare.indices.hypervolume import Hypervolume
from sfumato.compare.indices.maximum import Maximum
from sfumato.compare.indices.mean import Mean
from sfumato.compare.indices.minimum import Minimum
from sfumato.compare.indices.spread import Spread
from sfumato.compare.indices.strictly_better import StrictlyBetter
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome
from sfumato.papers.comparison.people import by_person, generalized

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.compare.comparator import Comparator
    from sfumato.compare.quality_index import QualityIndex


CLASS_SIZES = {
    "T3a": (3, 3, 3, 3, 4, 4, 4, 3, 3, 4),
    "T3b": (3, 7, 7, 3, 7, 7, 7, 3, 7, 7),
    "T4": (4, 6, 4, 4, 6, 6, 6, 4, 6, 6),
}
"""Fig. 1 and §3; that of T4 is drawn, and follows from Table 3."""

OWN_VALUE_COUNTS = (2, 2, 1, 2, 2, 1, 2, 1, 2, 1)
"""§3, of T3a."""

UTILITIES = {
    "T3a": (2.03, 1.7, 1.7, 2.03, 1.6, 1.6, 1.6, 2.03, 1.7, 1.6),
    "T3b": (2.03, 0.97, 0.97, 2.03, 0.97, 0.97, 0.97, 2.03, 0.97, 0.97),
}
"""§5.5: 3 - Σ |block| / |different values in the table|, to two digits."""

COVERAGE_TIES = ((2, 2, 3, 4, 5), (3, 2, 4, 2, 3))
"""§5.3, D₁ and D₂."""

THREE_ANONYMOUS = (3, 3, 3, 5, 5, 5, 5, 5, 3, 3, 3, 4, 4, 4, 4)
TWO_ANONYMOUS = (2, 2, 6, 6, 6, 6, 6, 6, 3, 3, 3, 4, 4, 4, 4)
"""§5.3, the first with its eighth entry set right."""

THREE_ANONYMOUS_AS_PRINTED = (*THREE_ANONYMOUS[:7], 3, *THREE_ANONYMOUS[8:])
"""A class of size 5 with four rows, and seven rows in classes of size 3: no such classes exist."""

HYPERVOLUME = ((3, 3, 3, 5, 5, 5, 5, 5), (4, 4, 4, 4, 4, 4, 4, 4))
"""§5.4, s and t."""


@dataclass(frozen=True, kw_only=True)
class PaperNumber:
    """A number of the paper: where it is, what it is, ours, the printed one, and what to know.

    ``paper`` is None where the paper says what its own numbers contradict.
    """

    section: str
    what: str
    ours: float | str
    paper: float | str | None
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether ours is the printed one."""
        if isinstance(self.ours, str) or isinstance(self.paper, str) or self.paper is None:
            return self.ours == self.paper
        return math.isclose(self.ours, self.paper, rel_tol=1e-12)


def paper_numbers() -> tuple[PaperNumber, ...]:
    """Return all numbers in the order of the paper."""
    return tuple(
        PaperNumber(section=section, what=what, ours=ours, paper=paper, note=note)
        for part in (_bias(), _single_properties(), _several_properties())
        for section, what, ours, paper, note in part
    )


_Line = tuple[str, str, float | str, float | str | None, str]


def sizes(label: str) -> PropertyVector:
    """Return the class sizes of a generalization of the ten people."""
    return property_named("class-size").vector(generalized(label))


def utilities(label: str) -> PropertyVector:
    """Return the utilities of the ten people, by the paper's way of counting a cell's loss."""
    return property_named("row-utility(cell=share)").vector(generalized(label))


def _bias() -> Iterator[_Line]:
    """§§1 to 3: the generalizations of the ten people."""
    breach = property_named("breach-probability")
    for label, k in (("T3a", 3), ("T3b", 3), ("T4", 4)):
        yield "§1, §2", f"k of {label}", Minimum().value(sizes(label)), k, ""
    for label in ("T3a", "T3b"):
        greatest = Maximum().value(breach.vector(generalized(label)))
        yield "§1", f"greatest probability of a breach in {label}", greatest, 1 / 3, ""
    safer = by_person(breach.vector(generalized("T3b")))
    who = ", ".join(str(n) for n, p in enumerate(safer, start=1) if p == 1 / 7)
    yield "§1", "people with probability 1/7 in T3b", who, "2, 3, 5, 6, 7, 9, 10", ""
    for user, better in ((8, "T4"), (3, "T3b")):
        t3b, t4 = (by_person(sizes(label))[user - 1] for label in ("T3b", "T4"))
        yield "§2", f"user {user} prefers", "T4" if t4 > t3b else "T3b", better, ""
    a, b = sizes("T3a"), sizes("T3b")
    own = property_named("own-value-count").vector(generalized("T3a"))
    yield "§3", "P_k-anon of T3a", Minimum().value(a), 3, ""
    yield "§3", "P_s-avg of T3a", Mean().value(a), 3.4, ""
    yield "§3", "P_l-div of T3a", Minimum().value(own), 1, ""
    yield from _both("§3", "P_binary of T3a and T3b", StrictlyBetter(), a, b, (0, 7))
    yield "§3", "by P_binary better", _winner(StrictlyBetter(), a, b, "T3a", "T3b"), "T3b", ""


def _single_properties() -> Iterator[_Line]:
    """§§5.2 to 5.4: coverage, spread and hypervolume."""
    for first, second in (("T4", "T3a"), ("T3b", "T4")):
        found = _winner(Coverage(), sizes(first), sizes(second), first, second)
        yield "§5.2", f"of {first} and {second} cov-better", found, first, ""
    d1, d2 = map(_vector, COVERAGE_TIES)
    yield from _both("§5.3", "P_cov of D1 and D2", Coverage(), d1, d2, (0.6, 0.6))
    note = "printed as two people ahead by 2, and two by 1"
    yield from _both("§5.3", "P_spr of D1 and D2", Spread(), d1, d2, (4, 2), note)
    three, two = _vector(THREE_ANONYMOUS), _vector(TWO_ANONYMOUS)
    note = "with the eighth entry 5: a class of 5 has five rows"
    what = "P_spr of the 3- and the 2-anonymous"
    yield from _both("§5.3", what, Spread(), three, two, (2, 8), note)
    printed = _vector(THREE_ANONYMOUS_AS_PRINTED)
    misprint = Spread().values(CommonRefinement.of(printed, two))
    said = f"{misprint[0]:g}, {misprint[1]:g}"
    note = "misprint: the eighth entry is 3, and P_spr is said to be 2, 8"
    yield "§5.3", "the same with the entry as printed", said, None, note
    yield from _both("§5.3", "people better off", StrictlyBetter(), three, two, (2, 6), "")
    found = _winner(Coverage(), three, two, "3-anonymous", "2-anonymous")
    yield "§5.3", "cov-better", found, "2-anonymous", ""
    s, t = map(_vector, HYPERVOLUME)
    shared = math.prod(map(min, *HYPERVOLUME))
    volumes = [math.prod(each) - shared for each in HYPERVOLUME]
    order = "P_hv(s, t) > P_hv(t, s)" if volumes[0] > volumes[1] else "P_hv(s, t) ≤ P_hv(t, s)"
    note = f"{volumes[0]:,} and {volumes[1]:,}"
    yield "§5.4", "hypervolumes", order, "P_hv(s, t) > P_hv(t, s)", note
    yield "§5.4", "hv-better", _winner(Hypervolume(), s, t, "S", "T"), "S", ""


def _several_properties() -> Iterator[_Line]:
    """§5.5: privacy and utility together."""
    privacy, utility = ([make(label) for label in ("T3a", "T3b")] for make in (sizes, utilities))
    yield from _both("§5.5", "P_cov of p_a and p_b", Coverage(), privacy[0], privacy[1], (0.3, 1.0))
    yield from _both("§5.5", "P_cov of u_a and u_b", Coverage(), utility[0], utility[1], (1.0, 0.3))
    sets = [(privacy[side], utility[side]) for side in (0, 1)]
    verdict = Weighted(weights=(0.5, 0.5), indices=(Coverage(),)).compare(*sets)
    note = f"P_WTD {verdict.first:.4g} and {verdict.second:.4g}"
    yield "§5.5", "equal weights", verdict.outcome.value, "equal", note


def _vector(values: Sequence[int]) -> PropertyVector:
    return PropertyVector.of_rows(values, name="class-size")


def _both(
    section: str,
    what: str,
    index: QualityIndex,
    first: PropertyVector,
    second: PropertyVector,
    paper: tuple[float, float],
    note: str = "",
) -> Iterator[_Line]:
    """Yield an index of the first against the second, and of the second against the first."""
    ours = index.values(CommonRefinement.of(first, second))
    for turn, value, printed in zip(("", ", turned"), ours, paper, strict=True):
        yield section, f"{what}{turn}", value, printed, note


def _winner(
    comparator: Comparator, first: PropertyVector, second: PropertyVector, *names: str
) -> str:
    outcome = comparator.compare(first, second).outcome
    if outcome is Outcome.BETTER:
        return names[0]
    return names[1] if outcome is Outcome.WORSE else outcome.value
