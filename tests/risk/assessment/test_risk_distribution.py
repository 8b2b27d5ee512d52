"""The distribution of risk against counting person by person, and against the measures."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError
from sfumato.risk.assessment.risk_distribution import BANDS, RiskDistribution, band_names
from sfumato.risk.assessment.table_risk import RiskSettings

LEVELS = ({"age": 0, "town": 0}, {"age": 1, "town": 0}, {"age": 1, "town": 1})


def drawn(seed: int, *, visits: bool) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 45, size=90) if visits else np.arange(90)
    return pd.DataFrame(
        {
            "who": people.astype(str),
            "age": rng.integers(20, 28, size=90).astype(str),
            "town": rng.choice(["A", "B", "C"], size=90, p=(0.6, 0.3, 0.1)),
            "ill": rng.choice(["flu", "cold"], size=90),
        }
    )


def study_of(rows: pd.DataFrame, *, people: bool) -> sf.Study:
    return sf.Study(
        source=rows,
        attributes=[
            sf.identifying("who", person=people),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=27, widths=(4,))),
            sf.quasi_identifying("town", sf.Flat(values=("A", "B", "C"))),
            sf.sensitive("ill"),
        ],
        suppression=sf.limited(0.1),
    )


def smallest_classes(rows: pd.DataFrame, levels: dict[str, int], *, people: bool) -> list[int]:
    """Return the size of the smallest class of everybody, by looking at every row."""
    ages = rows["age"].astype(int)
    age = ages if levels["age"] == 0 else (ages - 20) // 4
    town = rows["town"] if levels["town"] == 0 else rows["town"] * 0
    who = rows["who"] if people else pd.Series(range(len(rows)))
    members: defaultdict[tuple[object, object], set[object]] = defaultdict(set)
    shown: defaultdict[object, set[tuple[object, object]]] = defaultdict(set)
    for row in zip(age, town, who, strict=True):
        members[row[:2]].add(row[2])
        shown[row[2]].add(row[:2])
    return sorted(min(len(members[each]) for each in own) for own in shown.values())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("levels", LEVELS[:1])
def test_everybody_is_in_the_smallest_class_that_shows_them(
    seed: int, people: bool, levels: dict[str, int]
) -> None:
    rows = drawn(seed, visits=people)
    found = study_of(rows, people=people).risk().before.prosecutor
    sizes = smallest_classes(rows, levels, people=people)
    counted = sorted(Counter(sizes).items())
    assert list(zip(found.sizes, found.people, strict=True)) == counted
    assert found.mean == pytest.approx(float(sum(Fraction(1, s) for s in sizes) / len(sizes)))
    assert found.highest == 1 / sizes[0]
    assert found.at_highest == sizes.count(sizes[0])
    for threshold in ("0.05", "0.1", "0.2", "1"):
        above = sum(Fraction(1, size) > Fraction(threshold) for size in sizes)
        assert found.above(float(threshold)) == above
    lows = (0, *BANDS)
    for place, many in enumerate(found.by_band()):
        high = BANDS[place] if place < len(BANDS) else 10**9
        assert many == sum(lows[place] < size <= high for size in sizes)
    assert sum(found.by_band()) == found.everybody == len(sizes)
    assert len(band_names()) == len(found.by_band())


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("levels", LEVELS)
def test_figures_are_the_values_of_the_measures(people: bool, levels: dict[str, int]) -> None:
    study = study_of(drawn(7, visits=people), people=people)
    values = study.evaluate(levels).values
    assessed = study.risk(levels)
    after = assessed.after
    assert after is not None
    assert after.prosecutor.highest == values["prosecutor-risk"]
    assert after.prosecutor.mean == pytest.approx(values["mean-prosecutor-risk"], rel=1e-12)
    share = after.prosecutor.above(0.2) / after.prosecutor.everybody
    assert share == pytest.approx(values["risk-above"], rel=1e-12)
    assert after.rows + after.suppressed == assessed.before.rows == 90


def test_columns_of_a_release_tell_apart_by_labels() -> None:
    rows = drawn(2, visits=False)
    study = study_of(rows, people=False)
    found = study.risk({"age": 1, "town": 0}).after
    assert found is not None
    labels = pd.DataFrame({"age": (rows["age"].astype(int) - 20) // 4, "town": rows["town"]})
    sizes = labels.groupby(["age", "town"])["age"].transform("size")
    # The limit of 9 rows takes the smallest classes whole.
    labels = labels[sizes.isin([size for size in sizes.unique() if sizes[sizes <= size].size > 9])]
    kept = len(labels)
    assert found.rows == kept
    assert 0 < found.suppressed == 90 - kept
    for each in found.subsets:
        sizes = labels.groupby(list(each.columns)).size()
        assert each.distinct == len(sizes)
        assert each.unique == (sizes == 1).sum() / kept
        pairs = kept * (kept - 1) - sum(size * (size - 1) for size in sizes)
        assert each.separation == pytest.approx(pairs / (kept * (kept - 1)))


def test_nobody_is_at_no_risk() -> None:
    empty = RiskDistribution(sizes=(), people=())
    assert (empty.highest, empty.mean, empty.at_highest, empty.above(0.5)) == (1.0, 1.0, 0, 0)


def test_settings_that_make_no_sense() -> None:
    with raises(SettingsError, code="out-of-range", key="threshold", found="0.0"):
        RiskSettings(thresholds=(0.0,))
    with raises(SettingsError, code="out-of-range", key="draws", found="-1"):
        RiskSettings(draws=-1)
