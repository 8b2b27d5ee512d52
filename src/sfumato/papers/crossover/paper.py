"""What the Crossover paper sets and says (Lunacek, Whitley and Ray 2006, §4)."""

from __future__ import annotations

QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
)
CONSTRAINED = frozenset({"workclass", "education", "marital-status", "native-country"})

ROWS = 15_000
K = 15
UNCONSTRAINED_BITS, CONSTRAINED_BITS = 24, 68
LOG_OF_SPACE = 42
"""The space has "a size on the order of 2^42"; without constraints it would be 2^92."""

POPULATIONS = (200, 500, 1000)
EVALUATIONS = 30_000
TRIALS = 15
"""§4; the caption of fig. 4 says 20."""
