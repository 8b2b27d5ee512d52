"""Comparison, Table 1: ten people, and their generalizations of Tables 2 and 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.compare.anonymization import Anonymization
from sfumato.data.counting import build_count_table
from sfumato.data.grouped_counts import GroupedCounts
from sfumato.data.hierarchy import Hierarchy
from sfumato.data.roles import quasi_identifying, sensitive

if TYPE_CHECKING:
    from sfumato.data.arrays import Counts, Floats

PEOPLE = [
    ("13053", "28", "CF-Spouse"),
    ("13268", "41", "Separated"),
    ("13268", "39", "Never Married"),
    ("13053", "26", "CF-Spouse"),
    ("13253", "50", "Divorced"),
    ("13253", "55", "Spouse Absent"),
    ("13250", "49", "Divorced"),
    ("13052", "31", "Spouse Present"),
    ("13269", "42", "Separated"),
    ("13250", "47", "Separated"),
]
MARRIED = {"CF-Spouse", "Spouse Present"}


def interval(age: int, low: int, width: int) -> str:
    """Return the interval (low + i·width, low + (i + 1)·width] that holds an age."""
    start = low + (age - low - 1) // width * width
    return f"({start},{start + width}]"


ZIP = Hierarchy.from_rows(
    [(z, f"{z[:4]}*", f"{z[:3]}**", "13***", "*") for z in sorted({p[0] for p in PEOPLE})],
    name="zip",
)
MARITAL = Hierarchy.from_rows(
    [
        (m, "Married" if m in MARRIED else "Not Married", "*")
        for m in sorted({p[2] for p in PEOPLE})
    ],
    name="marital",
)
AGES = [p[1] for p in sorted(PEOPLE, key=lambda p: p[1])]
TABLE = build_count_table(
    GroupedCounts.of_rows(
        {
            "zip": [p[0] for p in PEOPLE],
            "age": [p[1] for p in PEOPLE],
            "marital": [p[2] for p in PEOPLE],
            "status": [p[2] for p in PEOPLE],
        }
    ),
    [
        quasi_identifying("zip", ZIP),
        quasi_identifying("age", Hierarchy.from_rows([(a, "*") for a in AGES], name="age")),
        quasi_identifying("marital", MARITAL),
        sensitive("status"),
    ],
)


def anonymization(
    label: str, *, age_width: int, age_low: int, zip_level: int, marital_level: int
) -> Anonymization:
    """Generalize the ten people; the three tables cut ages at different places."""
    texts = [interval(int(age), age_low, age_width) for age in AGES]
    ages = np.unique(texts, return_inverse=True)[1].astype(np.int32)
    blocks = [ZIP.levels[zip_level], ages, MARITAL.levels[marital_level]]
    return Anonymization.of_blocks(TABLE, blocks, label=label)


T3A = anonymization("T3a", age_width=10, age_low=25, zip_level=1, marital_level=1)
T3B = anonymization("T3b", age_width=20, age_low=15, zip_level=2, marital_level=1)
T4 = anonymization("T4", age_width=20, age_low=20, zip_level=3, marital_level=2)


def by_person(values: Counts | Floats) -> list[float]:
    """Return the values of entries in the order in which the paper numbers the people.

    Everybody has a combination of zip, age and status of their own: entries are people.
    """
    assert TABLE.cells == len(PEOPLE)
    entry_of = {
        tuple(q.leaf_of_value[p[i]] for i, q in enumerate(TABLE.quasi_identifiers)): p
        for p in PEOPLE
    }
    order = [PEOPLE.index(entry_of[tuple(map(int, column))]) for column in TABLE.cell_codes.T]
    found = [0.0] * len(PEOPLE)
    for entry, person in enumerate(order):
        found[person] = values[entry].item()
    return found
