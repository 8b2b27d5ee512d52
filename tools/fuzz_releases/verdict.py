"""What a study must make of a recoding: which classes it keeps, and whether it may be released."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from tools.fuzz_releases.records import Measuring, people, weighted_k

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.fuzz_releases.records import Class
    from tools.fuzz_releases.studies import DrawnStudy

_CRITERION = re.compile(r"(.+?)(>=|<=)([\d.]+)")
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The classes that stay, and the reason why there can be no release, if so."""

    kept: list[Class]
    gone: Class
    refused: str | None


def most_suppressed(drawn: DrawnStudy, rows: int) -> int | None:
    """Return how many rows may be suppressed, None for any number."""
    if drawn.policy == "none":
        return 0
    if drawn.limit is None:
        return None
    if isinstance(drawn.limit, int):
        return drawn.limit
    return int((Decimal(str(drawn.limit)) * rows).to_integral_value(ROUND_FLOOR))


def judge(drawn: DrawnStudy, classes: Sequence[Class], threshold: int | None) -> Verdict:
    """Apply the policy of a study to the classes of all its rows.

    ``threshold`` is the least size that is kept, where every threshold is a candidate.
    """
    everybody = [record for group in classes for record in group]
    asked = (*drawn.criteria, *drawn.require)
    if drawn.failing:
        kept = [each for each in classes if not missed(drawn, asked, [each], everybody)]
    else:
        least = _least_size(drawn, classes, threshold, len(everybody))
        kept = [each for each in classes if people(each) >= least]
    stay = {id(each) for each in kept}
    gone = [record for group in classes if id(group) not in stay for record in group]
    limit = most_suppressed(drawn, len(everybody))
    refused = None
    if not kept:
        refused = "nothing is kept"
    elif limit is not None and len(gone) > limit:
        refused = f"{len(gone)} rows are suppressed, and {limit} may be"
    else:
        fails = missed(drawn, asked, kept, everybody)
        refused = f"{' and '.join(fails)} missed" if fails else None
    return Verdict(kept=kept, gone=gone, refused=refused)


def _least_size(
    drawn: DrawnStudy, classes: Sequence[Class], threshold: int | None, rows: int
) -> float:
    """Return the number of people from which on classes are kept."""
    asked = [_CRITERION.fullmatch(each) for each in (*drawn.criteria, *drawn.require)]
    least = max((float(m[3]) for m in asked if m is not None and m[1] == "k"), default=0.0)
    if drawn.given_k is not None:
        return max(least, drawn.given_k)
    if drawn.policy == "below-weighted-k":
        return max(least, weighted_k(classes) * (1 - _CLOSE))
    if drawn.policy == "none":
        return 0
    if threshold is not None and drawn.every:
        return max(least, threshold)
    if least and not drawn.every:
        return least
    # The largest size that can be kept within the limit.
    limit = most_suppressed(drawn, rows)
    assert limit is not None
    found = least
    for size in sorted({people(each) for each in classes}):
        if sum(len(each) for each in classes if people(each) < size) <= limit:
            found = max(found, size)
    return found


def missed(
    drawn: DrawnStudy, asked: Sequence[str], kept: Sequence[Class], everybody: Class
) -> list[str]:
    """Return the criteria that classes miss; ``everybody`` is what t compares with."""
    if not asked:
        return []
    found = Measuring(
        sensitive=drawn.sensitive,
        missing_counts=drawn.missing_counts,
        kept=kept,
        gone=[],
        reference=everybody,
    ).metrics()
    fails = []
    for text in asked:
        match = _CRITERION.fullmatch(text)
        name, sign, bound = match.groups() if match else (text, ">=", "1")
        gap = found[name] - float(bound)
        if (gap if sign == ">=" else -gap) < -_CLOSE:
            fails.append(text)
    return fails
