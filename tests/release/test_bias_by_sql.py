"""The bias measures of a release, recomputed from its file by SQL and from its rows by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

import sfumato as sf
from sfumato.release.row_spread import RowSpread

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

AGES = [str(age) for age in range(20, 36)]
ZIPS = ["101", "102", "111", "201"]


def gini(values: Sequence[Fraction]) -> Fraction:
    apart = sum((abs(x - y) for x, y in combinations(values, 2)), Fraction(0))
    return apart / (len(values) * sum(values)) if any(values) else Fraction(0)


def mean_of_first(values: Sequence[Fraction]) -> Fraction:
    tenth = -(-len(values) // 10)
    return sum(values[:tenth], Fraction(0)) / tenth


def by_hand(sizes: Sequence[Fraction], losses: Sequence[Fraction]) -> dict[str, Fraction]:
    """The five measures, from the class size and the loss of every row."""
    ascending = sorted(sizes)
    return {
        "class-size-gini": gini(sizes),
        "class-size-quantile": ascending[-(-len(sizes) // 2) - 1],
        "class-size-quantile(q=0.1)": ascending[-(-len(sizes) // 10) - 1],
        "class-size-worst-tenth": mean_of_first(ascending),
        "row-loss-gini": gini(losses),
        "row-loss-worst-tenth": mean_of_first(sorted(losses, reverse=True)),
    }


@settings(
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    rows=st.lists(st.tuples(st.sampled_from(AGES), st.sampled_from(ZIPS)), min_size=1, max_size=40),
    levels=st.tuples(st.integers(0, 2), st.integers(0, 3)),
    k=st.integers(1, 4),
    star=st.booleans(),
    ending=st.sampled_from(["csv", "parquet"]),
)
def test_sql_and_definitions_agree(
    tmp_path: Path,
    rows: list[tuple[str, str]],
    levels: tuple[int, int],
    k: int,
    star: bool,
    ending: str,
) -> None:
    width = (1, 4, 16)[levels[0]]
    digits = 3 - levels[1]
    blocks = [(int(age) // width if width < 16 else 0, code[:digits]) for age, code in rows]
    size_of = Counter(blocks)
    gone = sum(size_of[block] < k for block in blocks)
    study = sf.Study(
        source=pd.DataFrame(rows, columns=["age", "zip"]),
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(4,), low=20, high=35), weight=2.0),
            sf.quasi_identifying("zip", sf.Prefixes(values=ZIPS)),
        ],
        objectives=["k", "class-size-quantile(q=0.1)"],
        suppression=sf.given_k(k),
    )
    node = {"age": levels[0], "zip": levels[1]}
    if gone == len(rows):
        with pytest.raises(sf.UnmetError):
            study.release(node, tmp_path / f"out.{ending}", force=True)
        return
    sharing = Counter(code[:digits] for code in ZIPS)
    expected = by_hand(
        [Fraction(size_of[b] if size_of[b] >= k else gone) for b in blocks],
        [
            2 * Fraction(width - 1, 15) + Fraction(sharing[b[1]] - 1, 3)
            if size_of[b] >= k
            else Fraction(3)
            for b in blocks
        ],
    )
    release = study.release(
        node, tmp_path / f"out.{ending}", suppressed_rows="star" if star else "drop", force=True
    )
    assert set(release.verified) >= set(expected)
    for name, value in expected.items():
        assert release.promised[name] == pytest.approx(float(value)), name


@given(
    kept=st.dictionaries(st.integers(0, 9), st.integers(1, 5), max_size=6),
    suppressed=st.integers(0, 9),
    times=st.integers(0, 5),
)
def test_spreads_over_rows(kept: dict[int, int], suppressed: int, times: int) -> None:
    values = [Fraction(v) for v, count in kept.items() for _ in range(count)]
    values += [Fraction(suppressed)] * times
    if not values:
        return
    spread = RowSpread.of(kept.items(), suppressed=suppressed, times=times)
    expected = by_hand(values, values)
    assert spread.total == len(values)
    assert spread.gini() == pytest.approx(float(expected["class-size-gini"]))
    assert spread.quantile("0.5") == expected["class-size-quantile"]
    assert spread.quantile("0.1") == expected["class-size-quantile(q=0.1)"]
    assert spread.quantile("0") == min(values)
    least, most = (spread.worst_tenth(greatest=greatest) for greatest in (False, True))
    assert least == pytest.approx(float(expected["class-size-worst-tenth"]))
    assert most == pytest.approx(float(expected["row-loss-worst-tenth"]))


def test_a_file_without_rows_has_no_spread() -> None:
    empty = RowSpread.of([], suppressed=0, times=0)
    assert (empty.gini(), empty.quantile("0.5"), empty.worst_tenth(greatest=True)) == (0, 0, 0)
