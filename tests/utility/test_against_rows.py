"""Every metric of utility against a plain version that reads the written file row by row."""

from __future__ import annotations

import math
from datetime import date, timedelta
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.utility.released_files import KINDS, WrittenRelease, written_release

from sfumato.utility.associations import pair_pictures
from sfumato.utility.bins import MOST_BINS, bins_of
from sfumato.utility.count_queries import answers, query_errors
from sfumato.utility.distributions import column_pictures
from sfumato.utility.groups import group_pictures
from sfumato.utility.random_queries import RandomWorkload
from sfumato.utility.workload import Workload

if TYPE_CHECKING:
    from pathlib import Path

Shares = dict[str, float]


@pytest.fixture(
    params=[
        *(pytest.param((kind, 1), id=kind) for kind in KINDS),
        *(
            pytest.param((kind, seed), id=f"{kind}-{seed}", marks=pytest.mark.slow)
            for kind, seed in product(KINDS, range(2, 6))
        ),
    ],
    scope="module",
)
def release(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> WrittenRelease:
    kind, seed = request.param
    return written_release(kind, seed, tmp_path_factory.mktemp("release"))


def spread(rows: list[dict[str, frozenset[str]]], name: str) -> Shares:
    """The share of every value, each row spread evenly over what its label covers."""
    found: Shares = {}
    for row in rows:
        for value in row[name]:
            found[value] = found.get(value, 0.0) + 1 / len(row[name]) / len(rows)
    return found


def distance(first: Shares, second: Shares) -> float:
    names = {*first, *second}
    return sum(abs(first.get(n, 0.0) - second.get(n, 0.0)) for n in names) / 2


def divergence(first: Shares, second: Shares) -> float:
    total = 0.0
    for own, other in ((first, second), (second, first)):
        for name, share in own.items():
            if share:
                total += share * math.log2(share / ((share + other.get(name, 0.0)) / 2)) / 2
    return total


def quantile(numbers: list[float], share: float) -> float:
    ordered = sorted(numbers)
    return ordered[max(0, math.ceil(share * len(ordered) - 1e-9) - 1)]


def statistic(numbers: list[float], name: str) -> float:
    return sum(numbers) / len(numbers) if name == "mean" else quantile(numbers, float(name))


def test_distributions(release: WrittenRelease) -> None:
    before, after = release.originals(), release.rows()
    pictures = column_pictures(release.released())
    assert {each.name for each in pictures} == set(release.frame)
    for each in pictures:
        was, now = spread(before, each.name), spread(after, each.name)
        assert each.total_variation == pytest.approx(distance(was, now), abs=1e-12)
        assert each.jensen_shannon == pytest.approx(divergence(was, now), abs=1e-9)
        assert sum(each.before) == pytest.approx(1)
        assert sum(each.after) == pytest.approx(1)
        if len(release.domains[each.name]) <= MOST_BINS:
            assert each.bins == release.domains[each.name]
            assert each.after == pytest.approx([now.get(name, 0.0) for name in each.bins])


def test_means_and_quantiles(release: WrittenRelease) -> None:
    for each in column_pictures(release.released()):
        if each.name in ("row", "town", "illness"):
            assert each.statistics == ()
            continue
        originals = [release.number(each.name, value) for value in release.frame[each.name]]
        spans = [release.numbers(each.name, text) for text in release.written[each.name]]
        assert [told.name for told in each.statistics] == [
            "mean",
            "0.1",
            "0.25",
            "0.5",
            "0.75",
            "0.9",
        ]
        for told in each.statistics:
            assert told.before == pytest.approx(statistic(originals, told.name))
            low, middle, high = (
                statistic([span[end] for span in spans if span is not None], told.name)
                for end in range(3)
            )
            assert (told.low, told.after, told.high) == pytest.approx((low, middle, high))


def test_associations(release: WrittenRelease) -> None:
    before, after = release.originals(), release.rows()
    analysed = release.analysed().table
    bin_of = {}
    for column in analysed.columns:
        rows = np.bincount(column.codes, weights=analysed.counts, minlength=len(column.leaves))
        bins = bins_of(column, rows.astype(np.int64))
        bin_of[column.name] = dict(zip(column.leaves, bins.of_leaf.tolist(), strict=True))
    for each in pair_pictures(release.released()):
        one, other = bin_of[each.first], bin_of[each.second]
        joints = []
        for rows_of in (before, after):
            joint: dict[tuple[int, int], float] = {}
            for row in rows_of:
                left, right = row[each.first], row[each.second]
                for a, b in product(left, right):
                    place = one[a], other[b]
                    joint[place] = joint.get(place, 0.0) + 1 / len(left) / len(right) / len(rows_of)
            joints.append(joint)
        places = {*joints[0], *joints[1]}
        moved = sum(abs(joints[0].get(p, 0.0) - joints[1].get(p, 0.0)) for p in places) / 2
        assert each.total_variation == pytest.approx(moved, abs=1e-9)
        assert each.cramers_v_before == pytest.approx(naive_cramer(joints[0]), abs=1e-9)
        assert each.cramers_v_after == pytest.approx(naive_cramer(joints[1]), abs=1e-9)
        first = [release.numbers(each.first, text) for text in release.written[each.first]]
        second = [release.numbers(each.second, text) for text in release.written[each.second]]
        if None in (*first, *second):
            assert each.correlation_before is None
            continue
        x = [span[1] for span in first if span is not None]
        y = [span[1] for span in second if span is not None]
        if np.std(x) > 1e-9 and np.std(y) > 1e-9:
            assert each.correlation_after == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
        else:
            assert each.correlation_after is None
        own = [[release.number(n, v) for v in release.frame[n]] for n in (each.first, each.second)]
        assert each.correlation_before == pytest.approx(np.corrcoef(*own)[0, 1], abs=1e-9)


def naive_cramer(joint: dict[tuple[int, int], float]) -> float:
    rows = sorted({i for (i, _), n in joint.items() if n > 0})
    columns = sorted({j for (_, j), n in joint.items() if n > 0})
    least = min(len(rows), len(columns)) - 1
    if least < 1:
        return 0.0
    of_row = {i: sum(n for (a, _), n in joint.items() if a == i) for i in rows}
    of_column = {j: sum(n for (_, b), n in joint.items() if b == j) for j in columns}
    chi = sum(
        (joint.get((i, j), 0.0) - of_row[i] * of_column[j]) ** 2 / (of_row[i] * of_column[j])
        for i, j in product(rows, columns)
    )
    return math.sqrt(chi / least)


def test_groups(release: WrittenRelease) -> None:
    before, after = release.originals(), release.rows()
    # The column row is released as it is, so that the rows of a group can be found again.
    of_row = {next(iter(row["row"])): row for row in after}
    pictures = group_pictures(release.released(), by=["town", "illness"])
    assert {(each.column, each.value) for each in pictures} == {
        (name, value) for name in ("town", "illness") for value in set(release.frame[name])
    }
    for each in pictures:
        own = [row for row in before if each.value in row[each.column]]
        released = [of_row[r] for row in own for r in row["row"] if r in of_row]
        assert each.rows == len(own)
        assert each.suppressed == len(own) - len(released)
        moved = {
            name: distance(spread(own, name), spread(released, name)) if released else 1.0
            for name in map(str, release.frame)
            if name != each.column
        }
        assert each.distortion == pytest.approx(sum(moved.values()) / len(moved))
        assert each.worst_distortion == pytest.approx(max(moved.values()))
        assert moved[each.worst] == pytest.approx(each.worst_distortion)
    assert [p.distortion for p in pictures] == sorted(
        (p.distortion for p in pictures), reverse=True
    )


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_random_queries_by_expanding_labels(release: WrittenRelease, columns: int) -> None:
    workload = Workload(random=RandomWorkload(count=30, columns=columns, selectivity=0.2, seed=4))
    analysed = release.analysed(workload)
    names = [column.name for column in analysed.table.columns]
    leaves = [column.leaves for column in analysed.table.columns]
    before, after = release.originals(), release.rows()
    found = answers(release.released(), analysed.drawn)
    assert len(found) == 30
    for query, told in zip(analysed.drawn, found, strict=True):
        meant = {
            names[each.column]: {
                leaves[each.column][leaf] for leaf in np.flatnonzero(each.leaves).tolist()
            }
            for each in query.conditions
        }
        assert len(meant) == columns
        assert told.before == sum(all(row[n] <= v for n, v in meant.items()) for row in before)
        expected = 0.0
        for row in after:
            # Every combination of the values under the labels of the row is as likely.
            every = list(product(*(row[name] for name in meant)))
            inside = sum(all(v in meant[n] for n, v in zip(meant, c, strict=True)) for c in every)
            expected += inside / len(every)
        assert told.after == pytest.approx(expected)
    errors = query_errors(found)
    relative = [abs(t.after - t.before) / t.before for t in found if t.before]
    assert (errors.queries, errors.none) == (30, 30 - len(relative))
    assert errors.median == pytest.approx(np.median(relative))
    assert errors.ninety == pytest.approx(quantile(relative, 0.9))


def test_written_queries(release: WrittenRelease) -> None:
    texts = (
        "age between 22 and 27 and town in {Aachen, Ulm}",
        "height between 163 and 171.5",
        "born between 2000-02-10 and 2000-04-05",
        "illness != flu and hours > 10",
    )
    analysed = release.analysed(Workload(queries=texts, random=None))
    found = answers(release.released(), analysed.asked)
    frame = release.frame
    ages, heights = frame["age"].astype(float), frame["height"].astype(float)
    assert [told.before for told in found] == [
        int((ages.between(22, 27) & frame["town"].isin(["Aachen", "Ulm"])).sum()),
        int(heights.between(163, 171.5).sum()),
        int(frame["born"].between("2000-02-10", "2000-04-05").sum()),
        int(((frame["illness"] != "flu") & (frame["hours"].astype(int) > 10)).sum()),
    ]
    after = release.rows()
    expected = [0.0] * 4
    for row in after:
        expected[0] += part(row["age"], lambda a: 22 <= int(a) <= 27) * part(
            row["town"], lambda t: t in ("Aachen", "Ulm")
        )
        expected[1] += part(row["height"], lambda h: overlap(h, 163, 171.5))
        expected[2] += part(row["born"], days_inside)
        expected[3] += part(row["illness"], lambda i: i != "flu") * part(
            row["hours"], lambda h: int(h) > 10
        )
    assert [told.after for told in found] == pytest.approx(expected)


def part(values: frozenset[str], share: object) -> float:
    assert callable(share)
    return sum(float(share(value)) for value in values) / len(values)


def overlap(leaf: str, low: float, high: float) -> float:
    start, end = map(float, leaf[1:-1].split(", "))
    return max(0.0, min(end, high) - max(start, low)) / (end - start)


def days_inside(month: str) -> float:
    day = date.fromisoformat(f"{month}-01")
    days = []
    while day.month == int(month[-2:]):
        days.append(day)
        day += timedelta(days=1)
    return sum(date(2000, 2, 10) <= each <= date(2000, 4, 5) for each in days) / len(days)


def test_the_same_seed_draws_the_same_queries(tmp_path: Path) -> None:
    release = written_release("levels", 1, tmp_path)
    first, second = (release.analysed() for _ in range(2))
    assert [q.text for q in first.drawn] == [q.text for q in second.drawn]
    assert len(first.drawn) == 1000
    other = release.analysed(Workload(random=RandomWorkload(seed=2)))
    assert [q.text for q in other.drawn] != [q.text for q in first.drawn]
