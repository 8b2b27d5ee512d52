"""Small tables with releases of every kind, and what their written files say, row by row."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import sfumato as sf
from sfumato.errors import ReleaseError
from sfumato.recoding.local import Local
from sfumato.release.release_request import ReleasedValues
from sfumato.study.analysed_study import AnalysedStudy, UtilityQuestion

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.recoding.recoding import Recoding
    from sfumato.utility.released_table import ReleasedTable
    from sfumato.utility.workload import Workload

TOWNS = ("Aachen", "Bonn", "Celle", "Dorsten", "Ulm")
KINDS = ("levels", "cuts", "local", "microaggregated", "microaggregated local")
ROWS = 40


def table(seed: int) -> pd.DataFrame:
    rng = random.Random(seed)
    return pd.DataFrame(
        {
            "row": [f"r{n:03}" for n in range(ROWS)],
            "age": [str(20 + int(12 * rng.random() ** 2)) for _ in range(ROWS)],
            "height": [str(round(150 + 40 * rng.random(), 1)) for _ in range(ROWS)],
            "born": [
                date(2000, 1 + rng.randrange(6), 1 + rng.randrange(28)).isoformat()
                for _ in range(ROWS)
            ],
            "town": [rng.choice(TOWNS) for _ in range(ROWS)],
            "hours": [str(rng.choice([10, 20, 20, 40])) for _ in range(ROWS)],
            "illness": [rng.choice(["flu", "flu", "cold"]) for _ in range(ROWS)],
        }
    )


def study(frame: pd.DataFrame) -> sf.Study:
    return sf.Study(
        source=frame,
        attributes=[
            sf.insensitive("row"),
            sf.quasi_identifying(
                "age", sf.Intervals(low=20, high=31, widths=(3, 6)), output="interval"
            ),
            sf.quasi_identifying(
                "height", sf.Intervals(low=150, high=190, unit=5, widths=(10, 20)), digits=6
            ),
            sf.quasi_identifying(
                "born",
                sf.Dates(
                    first=date(2000, 1, 1), last=date(2000, 6, 30), levels=("month", "quarter")
                ),
            ),
            sf.quasi_identifying(
                "town",
                sf.Groups(levels=[{"west": list(TOWNS[:3]), "east": list(TOWNS[3:])}]),
                output="set",
            ),
            sf.insensitive("hours"),
            sf.sensitive("illness"),
        ],
        suppression=sf.limited(0.3),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenRelease:
    """A study, a recoding of it, and the file that was written."""

    frame: pd.DataFrame
    study: sf.Study
    recoding: Recoding
    values: ReleasedValues
    written: pd.DataFrame

    def analysed(self, workload: Workload | None = None) -> AnalysedStudy:
        question = UtilityQuestion.of(workload=workload, targets=(), learning=None, by=None)
        return AnalysedStudy.of(self.study, question)

    def released(self) -> ReleasedTable:
        return self.analysed().released(self.recoding, values=self.values)

    @cached_property
    def domains(self) -> dict[str, tuple[str, ...]]:
        """The values of every column: of a quasi-identifier those of its domain."""
        found = {name: h.domain.leaves for name, h in self.study.hierarchies.items()}
        for name in ("row", "hours", "illness"):
            texts = set(self.frame[name])
            number = all(text.isdigit() for text in texts)
            found[name] = tuple(sorted(texts, key=int if number else str))
        return found

    def leaf(self, name: str, value: str) -> str:
        """The value of the domain that a value lies in."""
        if name in self.study.hierarchies:
            hierarchy = self.study.hierarchies[name]
            return hierarchy.domain.leaves[int(hierarchy.locate([value])[0])]
        return value

    def originals(self) -> list[dict[str, frozenset[str]]]:
        """Every original row with the values that it has."""
        return [
            {name: frozenset([self.leaf(name, row[name])]) for name in map(str, self.frame)}
            for row in self.frame.to_dict("records")
        ]

    def rows(self) -> list[dict[str, frozenset[str]]]:
        """Every released row with the values that its labels cover."""
        return [
            {name: self.covered(name, row[name]) for name in map(str, self.frame)}
            for row in self.written.to_dict("records")
        ]

    def covered(self, name: str, text: str) -> frozenset[str]:
        hierarchies = self.study.hierarchies
        if name not in hierarchies:
            return frozenset([text])
        if self.values is ReleasedValues.GENERALIZED:
            output = self.recoding.outputs[name] if isinstance(self.recoding, Local) else None
            return frozenset(sf.read_label(text, hierarchies[name], output=output).values)
        if name == "age":
            # A mean lies between two whole numbers: the nearest one, the lower of two.
            return frozenset(
                [min(self.domains[name], key=lambda a: (abs(int(a) - float(text)), a))]
            )
        return frozenset([self.leaf(name, text)])

    def numbers(self, name: str, text: str) -> tuple[float, float, float] | None:
        """The least, the middle and the greatest number under a released text."""
        if name in ("row", "town", "illness"):
            return None
        if name not in self.study.hierarchies or self.values is ReleasedValues.MICROAGGREGATED:
            alone = date.fromisoformat(text).toordinal() if name == "born" else float(text)
            return alone, alone, alone
        spans = [_span(name, leaf) for leaf in self.covered(name, text)]
        middle = sum((low + high) / 2 for low, high in spans) / len(spans)
        return min(low for low, _ in spans), middle, max(high for _, high in spans)

    def number(self, name: str, value: str) -> float:
        """The number of an original value."""
        return float(date.fromisoformat(value).toordinal() if name == "born" else float(value))


def _span(name: str, leaf: str) -> tuple[float, float]:
    if name == "age":
        return float(leaf), float(leaf)
    if name == "height":
        low, high = leaf[1:-1].split(", ")
        return float(low), float(high)
    year, month = map(int, leaf.split("-"))
    first = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return float(first.toordinal()), float(following.toordinal() - 1)


def recodings(made: sf.Study, kind: str, rng: random.Random) -> Recoding:
    counted = made.count_table
    if kind in ("levels", "microaggregated"):
        levels = {name: rng.randrange(1, h.height + 1) for name, h in made.hierarchies.items()}
        return sf.Levels.of(levels)
    if kind == "cuts":
        return sf.Cuts.of(
            {
                name: sorted(rng.sample(range(1, h.leaf_count), min(2, h.leaf_count - 1)))
                for name, h in made.hierarchies.items()
            }
        )
    classes = np.array([rng.randrange(-1, 6) for _ in range(counted.cells)], dtype=np.int32)
    outputs = {each.name: each.output for each in counted.quasi_identifiers}
    return Local.of(counted, classes, outputs)


def written_release(kind: str, seed: int, folder: Path) -> WrittenRelease:
    """Release a random table by a random recoding of a kind."""
    frame = table(seed)
    values = ReleasedValues(
        "microaggregated" if kind.startswith("microaggregated") else "generalized"
    )
    for attempt in range(100):
        made = study(frame)
        recoding = recodings(made, kind, random.Random(1000 * seed + attempt))
        if isinstance(recoding, Local):
            made = sf.Study(
                source=frame,
                attributes=list(made.attributes),
                suppression=sf.limited(0.9),
                space="local",
            )
        path = folder / f"{attempt}.csv"
        try:
            made.release(recoding, path, values=values, ledger=False)
        except (ReleaseError, sf.UnmetError):
            # Blocks with the same statistic, or nothing left.
            continue
        return WrittenRelease(
            frame=frame,
            study=made,
            recoding=recoding,
            values=values,
            written=pd.read_csv(path, dtype=str),
        )
    raise AssertionError("no recoding of this kind can be released")
