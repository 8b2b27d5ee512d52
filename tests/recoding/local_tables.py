"""Random tables of few rows with columns of every kind, and any local recoding of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import sfumato as sf
from sfumato.recoding.local import Local

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable
    from sfumato.microdata.roles import Attribute

TOWNS = ("Bonn", "Frankfurt, Main", 'the "old" town', "{Ulm}", "Bonn to Ulm", "Ulm")
ZIPS = ("24120", "24126", "24131", "26301")


@dataclass(frozen=True, kw_only=True, eq=False)
class LocalTable:
    """Rows, a study about them, and a recoding of its cells."""

    frame: pd.DataFrame
    study: sf.Study
    recoding: Local

    @property
    def table(self) -> CountTable:
        return self.study.count_table


def attributes(outputs: dict[str, str], levels: dict[str, int]) -> list[Attribute]:
    return [
        sf.quasi_identifying(
            "age",
            sf.Intervals(low=20, high=39, widths=(5, 10)),
            output=outputs["age"],
            minimum_level=levels["age"],
        ),
        sf.quasi_identifying(
            "day",
            sf.Dates(first=date(2024, 1, 1), last=date(2024, 3, 31), levels=("day", "month")),
            output=outputs["day"],
            minimum_level=levels["day"],
        ),
        sf.quasi_identifying(
            "zip", sf.Prefixes(keep=(4, 2)), output=outputs["zip"], minimum_level=levels["zip"]
        ),
        sf.quasi_identifying(
            "town",
            sf.Hierarchy.from_rows(
                [(town, "Rhine" if n < 3 else "Ulm", "*") for n, town in enumerate(TOWNS)],
                name="town",
            ),
            output=outputs["town"],
            minimum_level=levels["town"],
        ),
        sf.sensitive("illness"),
    ]


@st.composite
def local_tables(draw: st.DrawFn, *, suppressed: bool = True) -> LocalTable:
    """Draw rows with missing values, kinds of labels, minimum levels and an assignment of cells."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(2, 30))
    missing = draw(st.sampled_from((0.0, 0.2)))

    def drawn(values: list[str]) -> list[str | None]:
        return [
            None if row and rng.random() < missing else values[int(rng.integers(len(values)))]
            for row in range(rows)
        ]

    frame = pd.DataFrame(
        {
            "age": drawn([str(age) for age in range(20, 40)]),
            "day": drawn(["2024-01-05", "2024-01-28", "2024-02-03", "2024-03-30"]),
            "zip": drawn(list(ZIPS)),
            "town": drawn(list(TOWNS)),
            "illness": drawn(["flu", "gout", "angina"]),
        },
        dtype=object,
    )
    ordered = st.sampled_from(("hierarchy", "interval", "set"))
    outputs = {
        "age": draw(ordered),
        "day": draw(ordered),
        "zip": draw(ordered),
        "town": draw(st.sampled_from(("hierarchy", "set"))),
    }
    levels = {name: draw(st.sampled_from((0, 0, 1))) for name in outputs}
    study = sf.Study(
        source=frame,
        attributes=attributes(outputs, levels),
        suppression=sf.limited(rows),
        space="local",
        missing=sf.MissingValues(label="?"),
    )
    table = study.count_table
    classes = rng.integers(0, int(rng.integers(1, 6)), table.cells)
    if suppressed:
        classes[rng.random(table.cells) < draw(st.sampled_from((0.0, 0.3)))] = -1
    if (classes < 0).all():
        classes[0] = 0
    recoding = Local.of(table, classes, {q.name: q.output for q in table.quasi_identifiers})
    return LocalTable(frame=frame, study=study, recoding=recoding)
