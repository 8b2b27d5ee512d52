"""What the numbers of a certificate must obey among themselves, whatever release it is about.

A document that breaks one of these was edited or damaged: no release has such numbers. The models
of the certificates check them when they are read, and when they are written.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from sfumato.errors import SfumatoError
from sfumato.front.decisions.pick_rule import read_constraints
from sfumato.measures.catalogue import measure_classes
from sfumato.measures.measure import Scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST = 2**63 - 1
"""The greatest number of rows that anything here can count."""

Count = Annotated[int, Field(ge=0, le=MOST)]
"""How many there are of something."""
Size = Annotated[int, Field(ge=1, le=MOST)]
"""How many there are of something that is there."""
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""A SHA-256 in hexadecimal digits."""


def _is_a_number(value: float) -> float:
    if math.isnan(value):
        raise ValueError("it is not a number")
    return value


IsNumber = AfterValidator(_is_a_number)


def check(holds: bool, law: str) -> None:
    """Refuse a document that breaks a law; pydantic says where."""
    if not holds:
        raise ValueError(law)


def same(one: float, other: float) -> bool:
    """Say whether two values of a metric differ by no more than rounding."""
    return one == other or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def check_metrics(
    metrics: Mapping[str, float], *, rows: int, classes: int | None = None, people: bool = False
) -> None:
    """Refuse metrics that no table of so many rows, in so many classes, has.

    With ``people`` privacy is counted in people, each of whom has one row or more.
    """
    known = measure_classes()
    for name, value in metrics.items():
        kind = known.get(name.partition("(")[0])
        if kind is not None:
            check(value >= 0, f"{name} is {value:.10g}, and it is never below 0")
            share = kind.scale is Scale.SHARE or kind.name == "t"
            check(not share or value <= 1 + 1e-9, f"{name} is {value:.10g}, and it is at most 1")
    k = metrics.get("k")
    if k is not None:
        check(float(k).is_integer() and k >= 1, f"k is {k:.10g}, and it is a whole number from 1")
        check(
            k * (classes or 1) <= rows,
            f"k is {k:.10g}, and {rows} rows do not fill {classes or 1} classes of that size",
        )
    _check_sizes(metrics, rows, classes, people)


def _check_sizes(
    metrics: Mapping[str, float], rows: int, classes: int | None, people: bool
) -> None:
    """Refuse sums over classes that contradict each other; only rows without people add up."""
    if classes is None:
        return
    dm, k = metrics.get("dm"), metrics.get("k")
    if dm is not None:
        within = rows * rows / classes * (1 - 1e-9) <= dm <= rows * rows * (1 + 1e-9)
        check(within, f"dm is {dm:.10g}, which {rows} rows in {classes} classes cannot have")
    if people:
        return
    average, squares, weighted = (metrics.get(name) for name in ("c-avg", "s-k", "weighted-k"))
    if average is not None and k is not None:
        check(same(average * k * classes, rows), "c-avg is not rows / classes / k")
    if squares is not None and dm is not None:
        check(same(squares, dm), "s-k and dm are the same sum of squares, and differ")
    if squares is not None and weighted is not None:
        check(same(weighted * rows, squares), "weighted-k is not s-k / rows")
    for name in ("distinct-l", "p-sensitive"):
        if name in metrics and k is not None:
            check(metrics[name] <= k, f"{name} is greater than k: a class has no room for it")


def check_whole_table(
    metrics: Mapping[str, float],
    released: Mapping[str, float],
    *,
    rows: int,
    suppressed: int,
    people: bool,
) -> None:
    """Refuse metrics with the suppressed rows that are not those of the released ones and these.

    The suppressed rows are one class of S_k, and each costs N in DM. The worst kept class is the
    same.
    """
    added = {"k": 0, "distinct-l": 0, "entropy-l": 0, "frequency-l": 0, "p-sensitive": 0}
    if not people:
        added["s-k"] = suppressed * suppressed
    added["dm"] = suppressed * rows
    for name, more in added.items():
        if name in metrics and name in released:
            check(
                same(metrics[name], released[name] + more),
                f"{name} of all rows and that of the released rows do not agree",
            )


def check_least_sizes(criteria: Iterable[str], metrics: Mapping[str, float]) -> None:
    """Refuse a k that misses what the document itself says that every class meets.

    Of t and others nothing follows: these may hold of the table with the suppressed rows alone.
    """
    for text in criteria:
        try:
            constraints = read_constraints(text).constraints
        except SfumatoError:
            # One without a bound, like "secure".
            continue
        for each in constraints:
            if each.name == "k" and "k" in metrics:
                k = metrics["k"]
                check(each.holds(k), f"k is {k:.10g}, and {text} is said to be met")
