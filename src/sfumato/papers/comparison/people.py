"""Comparison, Tables 1 to 3: ten people, and three generalizations of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sfumato.classes.anonymization import Anonymization
from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive

if TYPE_CHECKING:
    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.microdata.count_table import CountTable

PEOPLE = (
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
)
"""Table 1: ZIP code, age and marital status."""

MARRIED = frozenset({"CF-Spouse", "Spouse Present"})


@dataclass(frozen=True, kw_only=True)
class Generalization:
    """A generalization of the ten: the levels of ZIP and marital status, and intervals of ages."""

    label: str
    age_low: int
    age_width: int
    zip_level: int
    marital_level: int


GENERALIZATIONS = (
    Generalization(label="T3a", age_low=25, age_width=10, zip_level=1, marital_level=1),
    Generalization(label="T3b", age_low=15, age_width=20, zip_level=2, marital_level=1),
    Generalization(label="T4", age_low=20, age_width=20, zip_level=3, marital_level=2),
)
"""Tables 2 (left and right) and 3."""


def interval(age: int, low: int, width: int) -> str:
    """Return the interval (low + i·width, low + (i + 1)·width] that holds an age.

    >>> interval(35, 25, 10), interval(36, 25, 10)
    ('(25,35]', '(35,45]')
    """
    start = low + (age - low - 1) // width * width
    return f"({start},{start + width}]"


def zip_hierarchy() -> Hierarchy:
    """Return the ZIP codes with their last digits starred, one after another."""
    codes = sorted({person[0] for person in PEOPLE})
    return Hierarchy.from_rows(
        [(code, f"{code[:4]}*", f"{code[:3]}**", "13***", "*") for code in codes], name="zip"
    )


def marital_hierarchy() -> Hierarchy:
    """Return the marital statuses, in two groups."""
    found = sorted({person[2] for person in PEOPLE})
    return Hierarchy.from_rows(
        [(each, "Married" if each in MARRIED else "Not Married", "*") for each in found],
        name="marital",
    )


def ages() -> list[str]:
    """Return the ages in order."""
    return sorted(person[1] for person in PEOPLE)


@cache
def people_table() -> CountTable:
    """Return Table 1 counted; the marital status is both quasi-identifier and sensitive."""
    zips, years, states = zip(*PEOPLE, strict=True)
    return build_count_table(
        GroupedCounts.of_rows({"zip": zips, "age": years, "marital": states, "status": states}),
        [
            quasi_identifying("zip", zip_hierarchy()),
            quasi_identifying("age", Hierarchy.from_rows([(a, "*") for a in ages()], name="age")),
            quasi_identifying("marital", marital_hierarchy()),
            sensitive("status"),
        ],
    )


@cache
def generalized(label: str) -> Anonymization:
    """Return the generalization of a label: T3a, T3b or T4."""
    given = next(each for each in GENERALIZATIONS if each.label == label)
    texts = [interval(int(age), given.age_low, given.age_width) for age in ages()]
    blocks = [
        zip_hierarchy().levels[given.zip_level],
        np.unique(texts, return_inverse=True)[1].astype(np.int32),
        marital_hierarchy().levels[given.marital_level],
    ]
    return Anonymization.of_blocks(people_table(), blocks, label=label)


def by_person(vector: PropertyVector) -> tuple[float, ...]:
    """Return a property in the order in which the paper numbers the people.

    Everybody has a combination of ZIP code, age and status of their own: entries are people.
    """
    table = people_table()
    assert table.cells == len(PEOPLE)
    entry_of = {tuple(map(int, codes)): entry for entry, codes in enumerate(table.cell_codes.T)}
    values = vector.by_individual
    return tuple(
        values[
            entry_of[
                tuple(
                    identifier.leaf_of_value[text]
                    for identifier, text in zip(table.quasi_identifiers, person, strict=True)
                )
            ]
        ].item()
        for person in PEOPLE
    )
