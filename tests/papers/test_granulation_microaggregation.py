"""Granulation, figs 1 and 4: the running example, microaggregated.

The table of fig. 4 as it is printed, but for two things. *Misprint*: the ZIP median of u7 to u11
is 26328; the value has 26617, which is the third value in the order of the rows, not of size.
And dates are written in ISO form, where the value has dd/mm/yy.
"""

from __future__ import annotations

import csv
from statistics import median_low
from typing import TYPE_CHECKING

import pandas as pd

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

FIG_1 = pd.DataFrame(
    [
        ("u1", "24/09/1956", "24126", 161, "400K", 1),
        ("u2", "06/09/1956", "24129", 167, "300K", 1),
        ("u3", "30/09/1956", "24133", 163, "300K", 1),
        ("u4", "23/03/1956", "10427", 160, "300K", 0),
        ("u5", "18/03/1956", "10431", 165, "100K", 2),
        ("u6", "05/03/1956", "10466", 168, "100K", 2),
        ("u7", "20/04/1955", "26015", 175, "400K", 2),
        ("u8", "18/04/1955", "26032", 170, "300K", 1),
        ("u9", "09/04/1955", "26617", 173, "100K", 0),
        ("u10", "01/04/1955", "26628", 171, "400K", 0),
        ("u11", "23/04/1955", "26328", 176, "400K", 0),
    ],
    columns=["ID", "D.O.B.", "ZIP", "Height", "Income", "Health"],
)

PRINTED_ZIP, RIGHT_ZIP = "26617", "26328"
FIG_4 = [
    ("1956-09-24", "24129", "164", "400K", "1"),
    ("1956-09-24", "24129", "164", "300K", "1"),
    ("1956-09-24", "24129", "164", "300K", "1"),
    ("1956-03-18", "10431", "164", "300K", "0"),
    ("1956-03-18", "10431", "164", "100K", "2"),
    ("1956-03-18", "10431", "164", "100K", "2"),
    ("1955-04-18", PRINTED_ZIP, "173", "400K", "2"),
    ("1955-04-18", PRINTED_ZIP, "173", "300K", "1"),
    ("1955-04-18", PRINTED_ZIP, "173", "100K", "0"),
    ("1955-04-18", PRINTED_ZIP, "173", "400K", "0"),
    ("1955-04-18", PRINTED_ZIP, "173", "400K", "0"),
]
TAU = {"D.O.B.": 1, "ZIP": 3, "Height": 2}


def study() -> sf.Study:
    return sf.Study(
        source=FIG_1,
        attributes=[
            sf.identifying("ID"),
            sf.quasi_identifying(
                "D.O.B.", sf.Dates(levels=("day", "month", "year"), format="%d/%m/%Y")
            ),
            sf.quasi_identifying("ZIP", sf.Prefixes(), statistic="median"),
            sf.quasi_identifying("Height", sf.Intervals(widths=(5, 10, 20))),
            sf.sensitive("Income"),
            sf.sensitive("Health"),
        ],
    )


def released(folder: Path, values: str) -> list[tuple[str, ...]]:
    study().release(TAU, folder / "out.csv", values=values, force=True)
    with (folder / "out.csv").open(newline="") as stream:
        return [tuple(row) for row in csv.reader(stream)][1:]


def test_metric_4(tmp_path: Path) -> None:
    right = [tuple(RIGHT_ZIP if c == PRINTED_ZIP else c for c in row) for row in FIG_4]
    assert sorted(released(tmp_path, "microaggregated")) == sorted(right)


def test_the_misprint_is_the_middle_row_not_the_median() -> None:
    zips = FIG_1["ZIP"][6:11].tolist()
    assert zips[2] == PRINTED_ZIP
    assert median_low(zips) == RIGHT_ZIP


def test_blocks_are_those_of_the_column_not_classes(tmp_path: Path) -> None:
    """u1 to u6 are two classes but one block of heights: 164 is the mean of all six (§3.2)."""
    heights = {row[2] for row in released(tmp_path, "microaggregated") if row[0][:4] == "1956"}
    assert heights == {"164"}
    assert FIG_1["Height"][:6].mean() == 164
    assert FIG_1["Height"][:3].mean() != 164


def test_both_tables_have_the_same_classes(tmp_path: Path) -> None:
    """Tables by generalization and by microaggregation are isomorphic (§3.2)."""
    generalized = released(tmp_path, "generalized")
    microaggregated = released(tmp_path, "microaggregated")
    for column in range(3):
        assert sorted(pd.Series([row[column] for row in generalized]).value_counts()) == sorted(
            pd.Series([row[column] for row in microaggregated]).value_counts()
        )
    audits = [
        study().release(TAU, tmp_path / f"{values}.csv", values=values)
        for values in ("generalized", "microaggregated")
    ]
    assert audits[0].metrics == audits[1].metrics
    assert audits[0].metrics["k"] == 3
