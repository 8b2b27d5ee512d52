"""What the Comparison paper prints: its vectors, and where it misprints one."""

from __future__ import annotations

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
