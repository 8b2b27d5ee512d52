"""What the Granulation paper printed: figs 2 and 4 and the verdicts of §3.2."""

from __future__ import annotations

FIG_2 = (
    *(("09/56", "24***", "(160,170)"),) * 3,
    *(("03/56", "10***", "(160,170)"),) * 3,
    *(("04/55", "26***", "(170,180)"),) * 5,
)
"""The generalized date of birth, ZIP code and height of u1 to u11."""

FIG_4 = (
    *(("24/09/56", "24129", "164"),) * 3,
    *(("18/03/56", "10431", "164"),) * 3,
    *(("18/04/55", "26617", "173"),) * 5,
)
"""The microaggregated ones. The median of the last five ZIP codes is 26328: a misprint."""

VERDICTS = (
    ("Health = 2", None, "secure"),
    ("Health = 1", "u1", "insecure"),
)
"""Who protects which predicate (None for everybody), and whether fig. 2 is secure then."""

CODES = (((1, 0, 5), (1, 0, 0)), ((0, 7, 2), (0, 1, 2)))
"""§4.3: what a crossover made, and its repair."""
