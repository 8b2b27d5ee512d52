"""How tall the patients are, by age and sex, with a few giants, and with gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from tools.hospital.chance import Numbers, bell, happens

if TYPE_CHECKING:
    from sfumato.arrays import Counts

LOWEST, HIGHEST = 34, 216
"""The heights in centimetres that are drawn."""

MISSING = 0

# Medians in centimetres at the birthdays 0, 1, …, 18.
_GIRLS = (50, 74, 86, 95, 102, 109, 115, 121, 127, 133, 139, 145, 151, 157, 160, 162, 163, 164, 165)
_BOYS = (51, 76, 88, 96, 103, 110, 116, 122, 128, 133, 138, 143, 149, 156, 164, 170, 174, 176, 178)


def draw_heights(words: np.random.PCG64, *, age: Numbers, female: Counts) -> Counts:
    """Return whole centimetres, `MISSING` for about one patient in a hundred.

    Old people are smaller than their grandchildren. The clerk forgets more often where a patient
    cannot stand.
    """
    count = len(age)
    medians = np.array((_BOYS, _GIRLS), dtype=np.float64)
    grown = medians.shape[1] - 1
    birthday = np.minimum(np.floor(age), grown - 1).astype(np.int64)
    since = np.minimum(age - birthday, 1.0)
    before, after = medians[female, birthday], medians[female, birthday + 1]
    median = before + (after - before) * since
    median = median - np.maximum(age - 50.0, 0.0) * 0.12
    height = median * (1.0 + 0.04 * bell(words, count))
    height = np.where(happens(words, count, in_1000=1), height * 0.8, height)
    height = np.where(happens(words, count, in_1000=1) & (age > grown), height * 1.14, height)
    forgotten = happens(words, count, in_1000=7) | (
        happens(words, count, in_1000=10) & (age > 75.0)
    )
    whole = np.clip(np.rint(height), LOWEST, HIGHEST).astype(np.int64)
    return np.where(forgotten, MISSING, whole)
