"""What the hospital treats: who gets it, when, for how long, and what it costs.

The names and shares are made up after what hospital statistics look like; no value here is one
of a real hospital. The tree of the diagnoses, after the chapters of ICD-10, is the shipped file
``hierarchies/hospital/diagnosis.csv``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.arrays import Counts


AGE_GROUPS = ("newborn", "0-4", "5-14", "15-24", "25-44", "45-64", "65-79", "80+")

SEASONS = {
    "even": (100, 100, 100, 100),
    "cold": (118, 98, 86, 98),
    "winter": (190, 90, 30, 90),
    "spring": (80, 150, 90, 80),
    "summer": (60, 110, 150, 80),
}
"""How often a diagnosis is made in each quarter of the year, in percent of its mean."""


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """How often a diagnosis is made, and what it means for the stay.

    ``by_age`` weighs it among all diagnoses of an age group, ``women`` and ``men`` (in percent)
    among those of a sex. Stay in days and cost are medians; they spread by doublings.
    """

    name: str
    by_age: tuple[int, ...]
    women: int
    men: int
    by_season: tuple[int, ...]
    stay: int
    cost: int

    @classmethod
    def of_line(cls, line: str) -> Diagnosis:
        """Read a line of the table below."""
        name, by_age, by_sex, season, bill = (cell.strip() for cell in line.split("|"))
        women, men = map(int, by_sex.split())
        stay, cost = map(int, bill.split())
        weights = tuple(map(int, by_age.split()))
        assert len(weights) == len(AGE_GROUPS), line
        return cls(
            name=name,
            by_age=weights,
            women=women,
            men=men,
            by_season=SEASONS[season],
            stay=stay,
            cost=cost,
        )


# Name              | weight in each of AGE_GROUPS    | women men | season | days cost
_TABLE = """
Gastroenteritis     |   0 150  70  40  20  15  25  40 | 100 100 | even   |  3  2100
Sepsis              |  15  12   5   5   8  25  45  70 | 100 100 | even   |  9 14800
Tuberculosis        |   0   1   1   3   3   2   2   2 | 100 100 | even   | 14 11900
HIV infection       |   0   0   0   5  10   6   2   0 |  40 160 | even   |  7  9800
Hepatitis C         |   0   0   0   4   9  10   4   1 | 100 100 | even   |  5  7200
Lung cancer         |   0   0   0   0   4  38  40  15 | 100 130 | even   |  7 11200
Breast cancer       |   0   0   0   0  18  50  35  15 | 100   1 | even   |  5  9600
Prostate cancer     |   0   0   0   0   1  34  50  20 |   0 100 | even   |  5  9100
Colorectal cancer   |   0   0   0   1   6  28  38  24 | 100 100 | even   |  9 15300
Leukaemia           |   0   8  10   6   4   8  10   5 | 100 100 | even   | 12 24600
Type 1 diabetes     |   0   8  30  18   9   5   2   1 | 100 100 | even   |  4  3900
Type 2 diabetes     |   0   0   1   4  12  38  42  30 | 100 100 | even   |  6  4700
Severe obesity      |   0   0   1  10  30  24   5   0 | 130  70 | even   |  4  8400
Dementia            |   0   0   0   0   0   5  30  62 | 100 100 | even   | 14  7600
Depression          |   0   0  12  50  42  36  14   9 | 130  75 | even   | 21  8900
Schizophrenia       |   0   0   0  18  17   8   3   1 | 100 100 | even   | 24  9900
Anorexia            |   0   0   9  17   3   0   0   0 | 180  15 | even   | 32 14500
Alcohol dependence  |   0   0   1  20  46  58  16   2 |  50 150 | even   |  9  3800
Opioid dependence   |   0   0   0  10  14   6   1   0 |  60 140 | even   | 11  4400
Epilepsy            |   3  35  32  20  13  14  14  12 | 100 100 | even   |  4  3500
Heart attack        |   0   0   0   1  10  62  62  48 |  70 140 | even   |  6 11800
Atrial fibrillation |   0   0   0   1   6  40  58  50 | 100 100 | even   |  4  3700
Heart failure       |   2   1   0   1   4  30  82 120 | 100 100 | cold   |  9  6100
Stroke              |   1   1   1   2   7  38  66  72 | 100 100 | even   | 10  9700
Influenza           |   0  40  22   9   6   8  17  32 | 100 100 | winter |  5  3300
Pneumonia           |   5  58  24   8   9  26  54  85 | 100 100 | winter |  8  5600
Bronchiolitis       |   4 140   4   0   0   0   0   0 | 100 100 | winter |  4  2900
Asthma              |   0  38  34  12   7   6   4   2 | 100 100 | spring |  3  2600
COPD                |   0   0   0   0   3  36  56  36 | 100 100 | winter |  8  4600
Tonsillitis         |   0  30  58  44  14   2   0   0 | 100 100 | even   |  3  2400
Appendicitis        |   0   6  80  60  24  12   6   4 | 100 100 | even   |  4  4800
Gallstones          |   0   0   2  14  36  44  36  24 | 130  75 | even   |  4  4900
Crohn's disease     |   0   0   8  18  14   8   4   1 | 100 100 | even   |  7  5900
Knee arthrosis      |   0   0   0   0   4  56  74  24 | 120  85 | even   |  7  9200
Back pain           |   0   0   2  12  40  66  42  28 | 100 100 | even   |  5  4000
Urinary infection   |   4  26  14  14  12  14  28  56 | 135  70 | even   |  5  3000
Kidney stones       |   0   0   2  14  34  40  22   8 | 100 140 | summer |  2  3300
Childbirth          |   0   0   0 140 560   1   0   0 | 100   0 | even   |  3  3400
Caesarean birth     |   0   0   0  34 200   1   0   0 | 100   0 | even   |  5  6200
Miscarriage         |   0   0   0  16  34   1   0   0 | 100   0 | even   |  2  1900
Healthy newborn     | 800   0   0   0   0   0   0   0 | 100 100 | even   |  3  1100
Premature birth     |  90   0   0   0   0   0   0   0 | 100 100 | even   | 24 28400
Concussion          |   0  50  70  56  18  14  14  20 | 100 100 | summer |  2  1500
Hip fracture        |   0   0   1   1   2  10  46 110 | 130  70 | even   | 12 13900
Drug overdose       |   0   4   4  32  20  12   4   2 | 100 100 | even   |  3  3700
"""

DIAGNOSES = tuple(map(Diagnosis.of_line, _TABLE.strip().splitlines()))


def diagnosis_weights(age_groups: Counts, female: Counts, seasons: Counts) -> Counts:
    """Return for every person the weights of all diagnoses, to draw by."""
    by_age = np.array([d.by_age for d in DIAGNOSES], dtype=np.int64).T
    by_sex = np.array([(d.men, d.women) for d in DIAGNOSES], dtype=np.int64).T
    by_season = np.array([d.by_season for d in DIAGNOSES], dtype=np.int64).T
    return np.asarray(by_age[age_groups] * by_sex[female] * by_season[seasons])
