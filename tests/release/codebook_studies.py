"""Studies with local recodings whose names and labels try to break out of a page."""

from __future__ import annotations

import numpy as np
import pandas as pd

import sfumato as sf
from sfumato.recoding.local import Local

HOSTILE_COLUMN = "</style><b onclick=\"alert('x')\">town & 'land'"
HOSTILE_TOWN = "<img src=x onerror=alert(1)> ${file}, \"Ulm\" & 'land'"
NAMES = [f"Person Number{row}" for row in range(60)]


def people() -> pd.DataFrame:
    """Return people, of whom the last six have values that nobody else has."""
    towns = ["Aachen", "Bonn", "Celle", HOSTILE_TOWN]
    return pd.DataFrame(
        {
            "name": NAMES,
            "age": [str(20 + row % 9) for row in range(54)] + [str(70 + n) for n in range(6)],
            HOSTILE_COLUMN: [towns[row % 4] for row in range(54)] + ["Buxtehude"] * 6,
            "job": [("nurse", "cook", "baker")[row % 3] for row in range(54)] + ["diver"] * 6,
            "born": [f"2001-03-{1 + row % 9:02}" for row in range(54)] + ["1931-08-17"] * 6,
            "illness": [("flu", "cold", "gout")[row % 3] for row in range(60)],
        }
    )


def study(*, declared: bool = False) -> sf.Study:
    """Return a study of these people with a column of every kind of label."""
    ages = sf.Intervals(low=0, high=99, widths=(10,)) if declared else sf.Intervals(widths=(10,))
    groups = sf.Groups(levels=[{"care": ["nurse"], "food": ["cook", "baker", "diver"]}])
    return sf.Study(
        source=people(),
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", ages, output="interval"),
            sf.quasi_identifying(HOSTILE_COLUMN, sf.Flat(), output="set"),
            sf.quasi_identifying("job", groups, output="hierarchy"),
            sf.quasi_identifying("born", sf.Dates(), output="interval"),
            sf.sensitive("illness"),
        ],
        suppression=sf.limited(6),
        space="local",
    )


def without_the_last_six(made: sf.Study) -> Local:
    """Return the recoding that has classes by age, and suppresses those over 60."""
    table = made.count_table
    age = table.quasi_identifiers[0].hierarchy.domain.leaves
    years = np.array([int(age[leaf]) for leaf in table.cell_codes[0].tolist()])
    classes = np.where(years < 60, (years - 20) // 3, -1)
    return Local.of(table, classes, {q.name: q.output for q in table.quasi_identifiers})
