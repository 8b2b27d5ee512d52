"""The patients of one year of a hospital, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

import numpy as np
from tools.hospital.chance import (
    Numbers,
    bell,
    doubled,
    happens,
    picks,
    picks_of,
    shares,
    stream,
)
from tools.hospital.diagnoses import AGE_GROUPS, DIAGNOSES, diagnosis_weights
from tools.hospital.height import MISSING, draw_heights
from tools.hospital.names import draw_names
from tools.hospital.places import ZIP_CODES, population_weights

if TYPE_CHECKING:
    from sfumato.arrays import Counts

YEAR = 2024
FIRST_BIRTH = date(1915, 1, 1)
LAST_DAY = date(YEAR, 12, 31)
LONGEST_STAY = 365
DAYS_OF_A_YEAR = 365.25
SEXES = ("male", "female")
COLUMNS = (
    "record_number",
    "name",
    "birth_date",
    "zip",
    "sex",
    "height_cm",
    "admission_date",
    "diagnosis",
    "length_of_stay",
    "cost",
)

# Who is in hospital: a tenth is born there, and every third is over 65.
_AGE_SHARES = np.array((100, 55, 40, 60, 185, 205, 235, 120), dtype=np.int64)
_WOMEN_IN_1000 = np.array((487, 450, 455, 560, 660, 470, 480, 600), dtype=np.int64)
_FIRST_AGES = np.array((0, 0, 5, 15, 25, 45, 65, 80), dtype=np.float64)
_AGE_SPANS = np.array((0, 5, 10, 10, 20, 20, 15, 28), dtype=np.float64)

_BY_WEEKDAY = (115, 112, 108, 106, 100, 72, 68)
_BY_MONTH = (112, 108, 104, 98, 97, 95, 93, 92, 97, 101, 103, 108)


@dataclass(frozen=True, kw_only=True)
class Patient:
    """A row of the discharge file; ``height_cm`` is None where the clerk forgot it."""

    record_number: str
    name: str
    birth_date: str
    zip: str
    sex: str
    height_cm: int | None
    admission_date: str
    diagnosis: str
    length_of_stay: int
    cost: int

    def cells(self) -> list[str]:
        """Return the texts of the row, in the order of `COLUMNS`; a gap is empty."""
        values = (getattr(self, column) for column in COLUMNS)
        return ["" if value is None else str(value) for value in values]


def draw_patients(*, patients: int, seed: int) -> list[Patient]:
    """Return the patients in the order of their admission. The same seed gives the same ones."""
    words = stream(seed, 0)
    groups = picks_of(words, patients, _AGE_SHARES)
    female = (shares(words, patients) * 1000.0 < _WOMEN_IN_1000[groups]).astype(np.int64)
    age = _ages(words, groups)
    days = np.sort(picks_of(words, patients, _day_weights()))
    admitted = [date(YEAR, 1, 1) + timedelta(days=day) for day in days.tolist()]
    seasons = np.array([(day.month - 1) // 3 for day in admitted], dtype=np.int64)
    illness = picks(words, diagnosis_weights(groups, female, seasons))
    zips = picks_of(words, patients, population_weights())
    heights = draw_heights(words, age=age, female=female).tolist()
    stays, costs = _stays_and_costs(words, illness)
    names = draw_names(words, female)
    numbers = np.cumsum(1 + picks_of(words, patients, np.array((80, 15, 5), dtype=np.int64)))
    lived = np.floor(age * DAYS_OF_A_YEAR).astype(np.int64).tolist()
    return [
        Patient(
            record_number=f"{YEAR}-{numbers[row]:06}",
            name=names[row],
            birth_date=max(admitted[row] - timedelta(days=lived[row]), FIRST_BIRTH).isoformat(),
            zip=ZIP_CODES[zips[row]],
            sex=SEXES[female[row]],
            height_cm=None if heights[row] == MISSING else heights[row],
            admission_date=admitted[row].isoformat(),
            diagnosis=DIAGNOSES[illness[row]].name,
            length_of_stay=int(stays[row]),
            cost=int(costs[row]),
        )
        for row in range(patients)
    ]


def _ages(words: np.random.PCG64, groups: Counts) -> Numbers:
    """Return ages in years, by the shape of each group: mothers are about 35, few are over 95."""
    first, second, third = (shares(words, len(groups)) for _ in range(3))
    shape = {
        "0-4": np.minimum(first, second),
        "25-44": (first + second + third) / 3.0,
        "45-64": np.maximum(first, second),
        "80+": np.minimum(np.minimum(first, second), third),
    }
    share = first
    for name, shaped in shape.items():
        share = np.where(groups == AGE_GROUPS.index(name), shaped, share)
    return _FIRST_AGES[groups] + _AGE_SPANS[groups] * share


def _day_weights() -> Counts:
    """Return how many are admitted on every day: fewer at weekends and in summer."""
    first = date(YEAR, 1, 1)
    days = [first + timedelta(days=day) for day in range((LAST_DAY - first).days + 1)]
    weights = [_BY_WEEKDAY[day.weekday()] * _BY_MONTH[day.month - 1] for day in days]
    return np.array(weights, dtype=np.int64)


def _stays_and_costs(words: np.random.PCG64, illness: Counts) -> tuple[Counts, Counts]:
    """Return days and costs: log-normal around the diagnosis, with a few that never seem to end.

    Half of the cost is that of the case, half grows with the days.
    """
    count = len(illness)
    median_stay = np.array([d.stay for d in DIAGNOSES], dtype=np.float64)[illness]
    median_cost = np.array([d.cost for d in DIAGNOSES], dtype=np.float64)[illness]
    days = median_stay * doubled(0.75 * bell(words, count))
    endless = happens(words, count, in_1000=4)
    days = np.where(endless, days * (4.0 + 10.0 * shares(words, count)), days)
    stays = np.clip(np.rint(days), 1, LONGEST_STAY)
    case = median_cost * doubled(0.45 * bell(words, count))
    dear = happens(words, count, in_1000=2)
    case = np.where(dear, case * (5.0 + 15.0 * shares(words, count)), case)
    costs = 0.5 * case + 0.5 * median_cost * (stays / median_stay)
    return stays.astype(np.int64), (np.rint(costs / 10.0) * 10.0).astype(np.int64)
