"""The place that an error is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

PARTS = ("file", "table", "column", "key", "line", "character")


@dataclass(frozen=True, kw_only=True)
class Where:
    """The place that an error is about; what is not known is None.

    ``file`` is a file, or the name of a source that is not one. ``table`` is a table of a study
    file as it is written there, ``key`` a key of it or a parameter of a call. ``character`` counts
    from 1 in a text that was read as a formula. ``via`` is the place that led here, where that is
    another file: the study file that names a hierarchy's file.

    >>> str(Where(file="study.toml", table="[columns.age]", key="weight"))
    'study.toml: [columns.age] weight'
    >>> str(Where(file="age.csv", line=3, via=Where(file="study.toml", table="[columns.age]")))
    'study.toml: [columns.age]: age.csv, line 3'
    """

    file: str | None = None
    table: str | None = None
    column: str | None = None
    key: str | None = None
    line: int | None = None
    character: int | None = None
    via: Where | None = None

    def inside(self, outer: Where) -> Where:
        """Return this place with what the place around it knows besides.

        >>> str(Where(key="unit").inside(Where(file="study.toml", table="[columns.age]")))
        'study.toml: [columns.age] unit'
        """
        if outer.file is not None and self.file not in (None, outer.file):
            return replace(self, via=self.via.inside(outer) if self.via else outer)
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(outer, **{name: value for name, value in known.items() if value is not None})

    def to_json(self) -> dict[str, object]:
        """Return the parts that are known."""
        known: dict[str, object] = {
            name: value for name in PARTS if (value := getattr(self, name)) is not None
        }
        return known | ({"via": self.via.to_json()} if self.via else {})

    def before(self, problem: str) -> str:
        """Return the place as it stands before a problem: what this names itself is left out.

        >>> Where(file="people.csv", column="Age").before("there is no column 'Age'")
        'people.csv'
        >>> Where(table="[columns.age]", key="unit").before("a unit of 1 makes too many leaves")
        '[columns.age]'
        """
        line = None if self.line is None else f"line {self.line:,}"
        file = None if _names(problem, self.file) else self.file
        document = ", ".join(part for part in (file, line) if part)
        column = "" if self.column is None else f"column {self.column!r}"
        # The table of a column's settings names the column too: [columns.age].
        if column in problem or (self.table is not None and str(self.column) in self.table):
            column = ""
        key = "" if _names(problem, self.key) else self.key
        inside = " ".join(part for part in (self.table, key) if part)
        parts = (column, inside) if self.table is None else (inside, column)
        via = str(self.via) if self.via else ""
        character = "" if self.character is None else f"character {self.character:,}"
        return ": ".join(part for part in (via, document, *parts, character) if part)

    def __str__(self) -> str:
        """Return the place from the outside in."""
        return self.before("")


def _names(problem: str, part: str | None) -> bool:
    """Say whether a problem has a file or a key as a word of its own."""
    return part is not None and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", problem) is not None
