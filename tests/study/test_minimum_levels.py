"""A minimum level changes how rows are counted and which recodings there are, and no metric."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.slow_variants import slow

import sfumato as sf
from sfumato.errors import SettingsError, SourceError
from sfumato.recoding.cuts import Cuts
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.methods.nsga_ii import NsgaIISettings

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.microdata.missing import MissingPolicy

REGIONS = sf.Hierarchy.from_rows(
    [
        ("Ulm", "South", "West", "*"),
        ("?", "South", "West", "*"),
        ("Köln", "North", "West", "*"),
        ("Gera", "East", "East", "*"),
        ("Jena", "East", "East", "*"),
    ],
    name="town",
)


def attributes(age: int = 0, town: int = 0, *, declared: bool = True) -> list[sf.Attribute]:
    low, high = (20, 59) if declared else (None, None)
    return [
        sf.quasi_identifying(
            "age", sf.Intervals(widths=(5, 10), low=low, high=high), minimum_level=age
        ),
        sf.quasi_identifying("town", REGIONS, minimum_level=town, weight=2.0),
        sf.quasi_identifying("sex", sf.Flat(values=("F", "M"))),
        sf.sensitive("illness"),
    ]


def people(seed: int, rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.choice(np.array([*range(20, 60), np.nan]), rows),
            "town": rng.choice(np.array(["Ulm", "Köln", "Gera", "Jena", "?", None]), rows),
            "sex": rng.choice(np.array(["F", "M"]), rows),
            "illness": rng.choice(np.array(["flu", "gout", None]), rows),
        }
    )


def study(frame: pd.DataFrame, given: list[sf.Attribute], **others: object) -> sf.Study:
    return sf.Study(
        source=frame,
        attributes=given,
        suppression=sf.limited(0.1),
        **others,  # type: ignore[arg-type]
    )


def points(result: sf.Front) -> list[tuple[object, ...]]:
    return sorted((str(s.recoding.stored()), s.threshold, tuple(s.values.values())) for s in result)


@settings(max_examples=examples(15))
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(5, 80),
    age=st.integers(0, 3),
    town=st.integers(0, 3),
    policy=st.sampled_from(["category", "drop"]),
    markers=st.sampled_from([(), ("?",)]),
    declared=st.booleans(),
)
def test_metrics_above_the_floor_are_those_without_it(
    seed: int,
    rows: int,
    age: int,
    town: int,
    policy: MissingPolicy,
    markers: tuple[str, ...],
    declared: bool,
) -> None:
    frame = people(seed, rows)
    missing = sf.MissingValues(policy=policy, markers=markers)
    try:
        free = study(frame, attributes(declared=declared), missing=missing)
        heights = free.lattice.heights
    except SourceError:
        return  # Every row lacks something.
    age, town = min(age, heights[0]), min(town, heights[1])
    with_minimum = study(frame, attributes(age, town, declared=declared), missing=missing)
    assert with_minimum.count_table.hierarchies == free.count_table.hierarchies
    assert with_minimum.count_table.rows == free.count_table.rows
    assert with_minimum.count_table.dropped_rows == free.count_table.dropped_rows
    assert with_minimum.lattice.bottom == (age, town, 0)
    for levels in itertools.product(*(range(h + 1) for h in heights)):
        node = dict(zip(("age", "town", "sex"), levels, strict=True))
        if levels[0] < age or levels[1] < town:
            with pytest.raises(SettingsError, match="below its minimum level"):
                with_minimum.evaluate(node)
            continue
        expected, found = free.evaluate(node), with_minimum.evaluate(node)
        shared = set(found.values)
        assert {"k", "loss", "dm", "t", "distinct-l", "height", "s-l"} <= shared
        assert found.values == {name: expected.values[name] for name in shared}
        assert found.suppressed == expected.suppressed
    swept = points(with_minimum.search(method="sweep").front)
    assert swept == points(with_minimum.search(method="branch-and-bound").front)
    assert swept == points(with_minimum.search(method="anytime").front)
    if (age, town) == (0, 0):
        assert swept == points(free.search(method="sweep").front)


def test_every_search_keeps_to_the_minimum_level() -> None:
    frame = people(1, 200)
    with_minimum = study(frame, attributes(1, 2))
    nodes = list(with_minimum.lattice)
    assert len(nodes) == with_minimum.lattice.nodes == len(set(nodes))
    assert [with_minimum.lattice.number(node) for node in nodes] == list(range(len(nodes)))
    assert with_minimum.lattice.all_levels(np.arange(len(nodes))).tolist() == [
        list(n) for n in nodes
    ]
    result = with_minimum.search(method="pbg-ea", seed=3)
    assert all(s.levels["age"] >= 1 and s.levels["town"] >= 2 for s in result.front)
    everything = sf.Study(source=frame, attributes=attributes(), suppression=sf.limited(0.1))
    best = {tuple(s.values.values()) for s in with_minimum.search().front}
    for solution in everything.search(method="sweep").front:
        if solution.levels["age"] >= 1 and solution.levels["town"] >= 2:
            assert tuple(solution.values.values()) in best


@pytest.mark.parametrize("constrained", [True, slow(False)])
def test_partitions_are_cut_between_minimum_level_blocks_only(constrained: bool) -> None:
    frame = people(2, 150)
    given = [replace(a, constrained=constrained and a.name == "age") for a in attributes(1, 1)]
    with_minimum = study(frame, given, space="partitions")
    free = study(frame, [replace(a, minimum_level=0) for a in given], space="partitions")
    starts = {
        name: set(hierarchy.block_starts(minimum_level).tolist())
        for name, hierarchy, minimum_level in zip(
            with_minimum.count_table.names,
            with_minimum.count_table.hierarchies,
            with_minimum.count_table.minimum_levels,
            strict=True,
        )
    }
    found = [
        *with_minimum.search(
            method="nsga-ii", settings=NsgaIISettings(population=20, generations=8), seed=1
        ).front,
    ]
    assert found
    for solution in found:
        cuts = solution.recoding.cuts
        assert cuts is not None
        assert all(set(cuts[name]) <= starts[name] for name in cuts)
        expected = free.evaluate(solution.recoding)
        mine = with_minimum.evaluate(solution.recoding)
        assert mine.values == {name: expected.values[name] for name in mine.values}
        space = with_minimum.problem.partitions
        assert space.recoding(space.of_recoding(solution.recoding)) == solution.recoding
    with pytest.raises(SettingsError, match="finer than its minimum level"):
        with_minimum.evaluate(Cuts.of({"age": [1], "town": [], "sex": []}))


def test_genitor_keeps_to_the_minimum_level() -> None:
    frame = people(5, 120)
    with_minimum = sf.Study(
        source=frame,
        attributes=attributes(1, 1),
        objectives=["loss"],
        suppression=sf.given_k(4),
        space="partitions",
    )
    settings_ = GenitorSettings(population=10, evaluations=60)
    for solution in with_minimum.search(method="genitor", settings=settings_, seed=1).front:
        solution.recoding.check(with_minimum.count_table)


def test_a_release_with_a_minimum_level_has_the_same_rows(tmp_path: Path) -> None:
    frame = people(7, 300)
    node = {"age": 2, "town": 1, "sex": 0}
    written = []
    for name, listed in (("free", attributes()), ("floored", attributes(1, 1))):
        made = study(frame, listed).release(node, tmp_path / f"{name}.csv", ledger=False)
        assert made.verified
        lines = (tmp_path / f"{name}.csv").read_text().splitlines()
        written.append((lines[0], sorted(lines[1:])))
    assert written[0] == written[1]
    with_minimum = study(frame, attributes(1, 1))
    assert with_minimum.audit(tmp_path / "free.csv").metrics["k"] >= 1
    assert with_minimum.compare(node, {"age": 3, "town": 3, "sex": 1}).sentences


def test_what_needs_the_values_themselves_is_refused() -> None:
    with_minimum = study(people(3, 50), attributes(1), objectives=["k", "entropy-loss"])
    with pytest.raises(SettingsError, match="counted by the blocks of its minimum level"):
        with_minimum.search()
    assert (
        "usefulness"
        not in study(people(3, 50), attributes(1)).evaluate({"age": 1, "town": 0, "sex": 0}).values
    )


@pytest.mark.parametrize("minimum_level", [-1, True, "1"])
def test_minimum_levels_that_are_not_levels(minimum_level: int) -> None:
    found = repr(minimum_level)
    with raises(SettingsError, code="out-of-range", key="minimum_level", found=found):
        sf.quasi_identifying("age", sf.Flat(), minimum_level=minimum_level)


def test_a_minimum_level_above_the_hierarchy_or_on_a_label_is_refused() -> None:
    with raises(SettingsError, code="out-of-range", column="age", key="minimum_level", found="4"):
        _ = study(people(1, 30), attributes(4)).count_table
    with raises(
        SettingsError, code="conflicting-settings", column="sex", key="minimum_level", found="1"
    ):
        sf.quasi_identifying("sex", sf.Flat(), label=True, minimum_level=1)
    with raises(SettingsError, code="conflicting-settings", column="ward", key="minimum_level"):
        sf.Attribute(name="ward", role=sf.Role.INSENSITIVE, minimum_level=1)


CRITERIA = {"criteria": ("k>=4",), "objectives": ["k", "loss"]}


@pytest.mark.parametrize("method", ["breadth-first", "incognito"])
@pytest.mark.parametrize("space", ["lattice", "admissible"])
@pytest.mark.parametrize(
    "minimum_levels",
    [
        slow((1, 1)),
        (2, 3),
        slow((3, 2)),
    ],
)
def test_minimal_recodings_are_those_above_the_minimum_level(
    method: str, space: str, minimum_levels: tuple[int, int]
) -> None:
    # South and North are West as Ulm and Köln are: levels 1 and 2 of towns differ, East does not.
    frame = people(11, 160)
    with_minimum = study(frame, attributes(*minimum_levels), space=space, **CRITERIA)
    free = study(frame, attributes(), space=space, **CRITERIA)
    meeting = {
        node
        for node in free.lattice
        if node[0] >= minimum_levels[0]
        and node[1] >= minimum_levels[1]
        and free.evaluate(dict(zip(free.lattice.names, node, strict=True))).values["k"] >= 4
    }
    found = {tuple(s.levels.values()) for s in with_minimum.search(method=method).front}
    assert found
    assert found == {
        node
        for node in meeting
        if not any(
            other != node and all(a <= b for a, b in zip(other, node, strict=True))
            for other in meeting
        )
    }


def test_a_minimum_level_on_a_level_that_repeats_another() -> None:
    towns = sf.Hierarchy.from_rows(
        [
            ("Ulm", "Ulm", "South", "*"),
            ("Köln", "Köln", "North", "*"),
            ("Bonn", "Bonn", "North", "*"),
        ],
        name="town",
    )
    frame = pd.DataFrame({"town": ["Ulm", "Köln", "Bonn", "Köln"] * 5, "sex": ["F", "M"] * 10})
    given = [
        sf.quasi_identifying("town", towns, minimum_level=1),
        sf.quasi_identifying("sex", sf.Flat()),
    ]
    with_minimum = sf.Study(
        source=frame,
        attributes=given,
        space="admissible",
        objectives=["k", "loss"],
        criteria="k>=4",
    )
    assert with_minimum.problem.admissible.partitions == ((1, 2, 3), (0, 1))
    for method in ("breadth-first", "incognito"):
        for solution in with_minimum.search(method=method).front:
            assert solution.levels["town"] >= 1


def test_the_genetic_algorithm_of_aogs_keeps_to_the_minimum_level() -> None:
    asked = {"objectives": ["sf-ql", "k"], "statements": "illness = flu"}
    with_minimum = study(people(4, 150), attributes(1, 2), **asked)
    for space in ("lattice", "admissible"):
        result = replace(with_minimum, space=space).search(method="aog-ga", seed=2)
        assert all(s.levels["age"] >= 1 and s.levels["town"] >= 2 for s in result.front)


def test_sweeping_admissible_recodings_keeps_to_the_minimum_level() -> None:
    frame = people(6, 120)
    swept = [
        points(study(frame, attributes(1, 2), space=space).search(method="sweep").front)
        for space in ("lattice", "admissible")
    ]
    assert swept[0] == swept[1]


def test_admissible_partitions_have_no_minimum_level() -> None:
    days = sf.AdmissiblePartitions.of(
        {"weekday": ["work", "work", "end", "end"], "month": ["May", "June", "May", "June"]},
        values=["1", "2", "3", "4"],
        name="day",
    )
    frame = pd.DataFrame({"day": ["1", "2", "3", "4"] * 5})
    given = [sf.quasi_identifying("day", days, minimum_level=1)]
    with raises(
        SettingsError, code="conflicting-settings", column="day", key="minimum_level", found="1"
    ):
        _ = sf.Study(source=frame, attributes=given, space="admissible").count_table
    crowded = sf.Study(
        source=frame,
        attributes=[sf.quasi_identifying("day", days)],
        space="admissible",
        most_combinations=1,
    )
    with raises(SourceError, code="too-many-combinations", key="most_combinations", found="1"):
        _ = crowded.count_table


@pytest.mark.slow
def test_statements_are_the_same_with_a_floor() -> None:
    frame = people(8, 300).assign(ward=["oncology", "surgery", "surgery"] * 100)
    statement = sf.ConfidentialStatement(protect="illness = flu", where="ward = oncology")
    ward = sf.insensitive("ward")
    asked = {"statements": statement, "objectives": ["secure", "sf", "k", "loss"]}
    free = study(frame, [*attributes(), ward], **asked)
    with_minimum = study(frame, [*attributes(1, 1), ward], **asked)
    assert with_minimum.count_table.cells < free.count_table.cells
    for node in with_minimum.lattice:
        named = dict(zip(with_minimum.lattice.names, node, strict=True))
        found, expected = with_minimum.evaluate(named).values, free.evaluate(named).values
        assert {"secure", "sf", "ql", "k"} <= set(found)
        assert found == {name: expected[name] for name in found}
    with raises(SourceError, code="too-many-combinations", key="most_combinations", found="3"):
        _ = replace(with_minimum, most_combinations=3).count_table
    about_age = sf.ConfidentialStatement(protect="illness = flu", where="age = 30")
    with raises(
        SettingsError, code="conflicting-settings", column="age", key="where", found="'age = 30'"
    ):
        _ = replace(with_minimum, statements=about_age).count_table


@pytest.mark.slow
def test_microaggregated_rows_are_the_same_with_a_minimum_level(tmp_path: Path) -> None:
    frame = people(9, 300)
    node = {"age": 3, "town": 3, "sex": 0}
    written = []
    for name, listed in (("free", attributes()), ("floored", attributes(1, 1))):
        study(frame, listed).release(
            node, tmp_path / f"{name}.csv", values="microaggregated", ledger=False
        )
        lines = (tmp_path / f"{name}.csv").read_text().splitlines()
        written.append((lines[0], sorted(lines[1:])))
    assert written[0] == written[1]


def test_labels_of_cuts_name_the_minimum_level_blocks_that_are_kept(tmp_path: Path) -> None:
    # Leaves: 1051, 1052, 2411, 2412, 2421, 3001; the one row of 3001 is suppressed.
    codes = ["1051", "1052", "2411", "2412", "2421"] * 8 + ["3001"]
    frame = pd.DataFrame({"zip": codes, "sex": ["F"] * 40 + ["M"]})
    given = [
        sf.quasi_identifying("zip", sf.Prefixes(), minimum_level=1),
        sf.quasi_identifying("sex", sf.Flat()),
    ]
    with_minimum = sf.Study(
        source=frame, attributes=given, space="partitions", suppression=sf.limited(0.1)
    )
    cut = Cuts.of({"zip": (2,), "sex": (1,)})
    with_minimum.release(cut, tmp_path / "out.csv")
    written = pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert len(written) == 40
    assert set(written["zip"]) == {"105*", "24*"}
