"""A table of patients that is released several times, and who would join the releases."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pandas as pd

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BY_AGE = {"age": 1, "zip": 2, "sex": 1}
"""Six classes of about a hundred people."""
BY_PLACE = {"age": 3, "zip": 0, "sex": 0}
"""Some fifty classes of about a dozen people."""


def patients(*, seed: int = 3, rows: int = 600, first: int = 0) -> pd.DataFrame:
    """People with an age, a ZIP code, a sex and an illness."""
    draw = random.Random(seed)
    return pd.DataFrame(
        {
            "name": [f"patient {first + i}" for i in range(rows)],
            "age": [str(draw.randrange(20, 80)) for _ in range(rows)],
            "zip": [f"24{draw.randrange(8)}{draw.randrange(3)}" for _ in range(rows)],
            "sex": [draw.choice("FM") for _ in range(rows)],
            "illness": [draw.choice(("flu", "asthma", "angina")) for _ in range(rows)],
        }
    )


def study_of(
    source: pd.DataFrame | Path,
    *,
    person: bool = False,
    zip_column: str = "zip",
    require: Sequence[str] = (),
    suppression: sf.Suppression = sf.NO_SUPPRESSION,
) -> sf.Study:
    return sf.Study(
        source=source,
        attributes=[
            sf.identifying("name", person=person),
            sf.quasi_identifying("age", sf.Intervals(widths=(10, 30), low=20, high=79)),
            sf.quasi_identifying(zip_column, sf.Prefixes(keep=(3,))),
            sf.quasi_identifying("sex", sf.Flat()),
            sf.sensitive("illness"),
        ],
        require=require,
        suppression=suppression,
    )


def one_more(table: pd.DataFrame) -> pd.DataFrame:
    """The same people and a new one, whose values occur already."""
    new = pd.DataFrame([["new", "44", "2401", "F", "flu"]], columns=table.columns)
    return pd.concat([table, new])


def together(release: sf.Release) -> sf.Composition:
    """What a release shows with earlier ones; the ledger was asked."""
    assert release.composition is not None
    return release.composition
