"""A register that anyone can look up: who lives where, and was born when.

It lists three in five of the hospital's patients, and other people of the region who never were
there. It is what an attacker has.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
from tools.hospital.chance import happens, picks_of, shares, stream
from tools.hospital.names import draw_names
from tools.hospital.patients import DAYS_OF_A_YEAR, LAST_DAY, SEXES
from tools.hospital.places import ZIP_CODES, population_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.hospital.patients import Patient

REGISTER_COLUMNS = ("name", "birth_date", "zip", "sex")
LISTED_IN_1000 = 600
OTHERS_FOR_EACH_PATIENT = 0.9
OLDEST = 100.0


@dataclass(frozen=True, kw_only=True, order=True)
class Resident:
    """A line of the register."""

    name: str
    birth_date: str
    zip: str
    sex: str

    def cells(self) -> list[str]:
        """Return the texts of the line, in the order of `REGISTER_COLUMNS`."""
        return [self.name, self.birth_date, self.zip, self.sex]


def draw_register(patients: Sequence[Patient], *, seed: int) -> list[Resident]:
    """Return the register in the order of names.

    Whoever shares name, birth date, ZIP code and sex with another one is not listed, so that
    every line is one person, in the hospital's file too.
    """
    words = stream(seed, 1)
    own = [Resident(name=p.name, birth_date=p.birth_date, zip=p.zip, sex=p.sex) for p in patients]
    listed = happens(words, len(own), in_1000=LISTED_IN_1000).tolist()
    others = _others(words, round(OTHERS_FOR_EACH_PATIENT * len(own)))
    times = Counter((*own, *others))
    chosen = [resident for resident, is_listed in zip(own, listed, strict=True) if is_listed]
    return sorted(resident for resident in (*chosen, *others) if times[resident] == 1)


def _others(words: np.random.PCG64, count: int) -> list[Resident]:
    """Return people of the region: as many of every age up to 60, then fewer and fewer."""
    female = (shares(words, count) < 0.5).astype(np.int64)
    first, second = shares(words, count), shares(words, count)
    old = first * (OLDEST - 60.0) * second + 60.0
    age = np.where(shares(words, count) < 0.25, old, second * 60.0)
    lived = np.floor(age * DAYS_OF_A_YEAR).astype(np.int64).tolist()
    zips = picks_of(words, count, population_weights())
    names = draw_names(words, female)
    return [
        Resident(
            name=names[person],
            birth_date=(LAST_DAY - timedelta(days=lived[person])).isoformat(),
            zip=ZIP_CODES[zips[person]],
            sex=SEXES[female[person]],
        )
        for person in range(count)
    ]
