"""A study file about the people of `tests.study.people`, written to a folder with its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.study.people import people

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = """\
# The people, with a bit of everything.
[source]
path = "people.csv"

[columns.name]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10], low = 20, high = 39 }
weight = 2.0

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = true }

[columns.sex]
role = "quasi-identifying"
hierarchy = "hierarchies/sex.csv"

[columns.illness]
role = "sensitive"

[columns.income]
role = "sensitive"
distance = "ordered"

[columns.smokes]
role = "insensitive"
label = true
"""


def write_people(folder: Path, text: str = PEOPLE) -> Path:
    """Write the people, their hierarchy file and a study file; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    people().to_csv(folder / "people.csv", index=False)
    (folder / "hierarchies").mkdir(exist_ok=True)
    (folder / "hierarchies" / "sex.csv").write_text("F;*\nM;*\n")
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path
