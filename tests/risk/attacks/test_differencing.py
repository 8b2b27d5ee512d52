"""Differencing: people whom the difference of two releases singles out, against sets of rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.risk.attacks.differencing import differencing
from sfumato.risk.attacks.released_classes import ReleasedClasses
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.risk.attacks.differencing import DifferencingFinding

Row = tuple[str, str, str]
AGES = tuple(str(age) for age in range(20, 28))


def study_of(rows: Sequence[Row]) -> sf.Study:
    return sf.Study(
        source=pd.DataFrame(rows, columns=["age", "town", "ill"]),
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=20, high=27, widths=(2, 4))),
            sf.quasi_identifying("town", sf.Flat(values=("A", "B", "C"))),
            sf.sensitive("ill"),
        ],
    )


def released(rows: Sequence[Row], path: Path) -> ReleasedClasses:
    pd.DataFrame(rows, columns=["age", "town", "ill"]).to_csv(path, index=False)
    return ReleasedClasses.of_file(
        source_of(path), quasi_identifiers=["age", "town"], sensitive="ill", engine=DuckDBEngine()
    )


def attacked(study: sf.Study, releases: Sequence[ReleasedClasses]) -> DifferencingFinding:
    table = study.count_table
    return differencing(
        releases,
        known=table.cell_codes,
        sizes=table.cell_sizes,
        hierarchies=study.hierarchies,
        missing=study.missing,
    )


def recoded(row: Row, width: int, *, town: bool) -> tuple[str, str]:
    low = 20 + (int(row[0]) - 20) // width * width
    label = row[0] if width == 1 else f"[{low}, {low + width})"
    return label, row[1] if town else "*"


def naive(views: Sequence[Sequence[tuple[str, str] | None]]) -> set[frozenset[int]]:
    """Return the rests of all pairs of releases, as sets of rows."""
    rests = set()
    classes = []
    for view in views:
        own: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        for place, label in enumerate(view):
            if label is not None:
                own[label].add(place)
        classes.append(own)
    for one, first in enumerate(classes):
        for other, second in enumerate(classes):
            if one == other:
                continue
            for whole in first.values():
                inside = [part for part in second.values() if part <= whole]
                rest = whole.difference(*inside) if inside else set()
                if rest and inside:
                    rests.add(frozenset(rest))
    return rests


@pytest.mark.parametrize("seed", range(12))
def test_rests_are_those_of_sets_of_rows(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    rows: list[Row] = [
        (str(rng.choice(AGES)), str(rng.choice(["A", "B", "C"])), str(rng.choice(["flu", "gout"])))
        for _ in range(40)
    ]
    kinds = [(2, True), (4, bool(seed % 2))]
    views: list[list[tuple[str, str] | None]] = []
    for width, town in kinds:
        view: list[tuple[str, str] | None] = [recoded(row, width, town=town) for row in rows]
        sizes = Counter(view)
        # The finer release suppresses its small classes.
        least = 3 if width == 2 else 1
        views.append([label if sizes[label] >= least else None for label in view])
    files = [
        released(
            [(*label, row[2]) for label, row in zip(view, rows, strict=True) if label is not None],
            tmp_path / f"{number}.csv",
        )
        for number, view in enumerate(views)
    ]
    found = attacked(study_of(rows), files)
    rests = naive(views)
    least = min(int(each.sizes.min()) for each in files)
    small = [rest for rest in rests if len(rest) < least]
    assert found.groups == len(small)
    assert found.singled_out == sum(map(len, small))
    alone = [rest for rest in rests if len({rows[place][2] for place in rest}) == 1]
    assert found.learnt == sum(map(len, alone))
    assert found.smallest == min(map(len, rests), default=0)
    assert found.unusable == 0


def test_who_is_suppressed_in_one_release_is_what_the_other_one_has_more(tmp_path: Path) -> None:
    crowd: list[Row] = [("20", "A", ill) for ill in ("flu", "gout", "flu")]
    rows: list[Row] = [*crowd, ("21", "A", "cold")]
    whole = released([("[20, 22)", "A", row[2]) for row in rows], tmp_path / "whole.csv")
    part = released(crowd, tmp_path / "part.csv")
    found = attacked(study_of(rows), [whole, part])
    assert (found.groups, found.singled_out, found.learnt, found.smallest) == (1, 1, 1, 1)
    assert "cold" not in repr(found)


def test_nothing_is_computed_of_other_people(tmp_path: Path) -> None:
    rows: list[Row] = [("20", "A", "flu"), ("20", "A", "gout"), ("21", "A", "flu")]
    other = released([("20", "A", "flu")] * 5, tmp_path / "other.csv")
    whole = released([("[20, 22)", "A", row[2]) for row in rows], tmp_path / "whole.csv")
    found = attacked(study_of(rows), [whole, other])
    assert (found.groups, found.learnt, found.unusable) == (0, 0, 1)
