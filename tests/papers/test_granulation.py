"""Granulation, worked by hand: figs 1 and 2, the security verdicts of §3.2, sf and ql of §4.

Misprints: in fig. 4 the ZIP median of u7 to u11 is 26328, not 26617; Property 3 rolls up
from the finer recoding to the coarser. The paper prints no metrics of sf and ql; those here are
worked out below from its formulas.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sfumato as sf
from sfumato.datasets.granulation_example import (
    COLUMNS,
    FIGURE_2,
    PEOPLE,
    granulation_attributes,
    write_granulation_example,
)
from sfumato.measures.confidentiality.security import insecure_classes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FIGURE_2_ROWS = {
    ("09/56", "24***", "[160, 170)", "400K", "1"): 1,
    ("09/56", "24***", "[160, 170)", "300K", "1"): 2,
    ("03/56", "10***", "[160, 170)", "300K", "0"): 1,
    ("03/56", "10***", "[160, 170)", "100K", "2"): 2,
    ("04/55", "26***", "[170, 180)", "400K", "2"): 1,
    ("04/55", "26***", "[170, 180)", "300K", "1"): 1,
    ("04/55", "26***", "[170, 180)", "100K", "0"): 1,
    ("04/55", "26***", "[170, 180)", "400K", "0"): 2,
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    write_granulation_example(path)
    return path


def study(
    source: Path,
    statements: str | sf.ConfidentialStatement | Sequence[sf.ConfidentialStatement | str],
    objectives: Sequence[str] = ("sf", "ql"),
) -> sf.Study:
    return sf.Study(
        source=source,
        attributes=granulation_attributes(),
        statements=statements,
        objectives=objectives,
    )


def test_metric_2_is_released(source: Path, tmp_path: Path) -> None:
    released = study(source, "Health = 2").release(FIGURE_2, tmp_path / "value-2.csv")
    lines = released.path.read_text().splitlines()
    assert lines[0] == ",".join(COLUMNS[1:])
    found: dict[tuple[str, ...], int] = {}
    for line in lines[1:]:
        cells = tuple(line.replace('"', "").replace(", ", "; ").split(","))
        key = tuple(cell.replace("; ", ", ") for cell in cells)
        found[key] = found.get(key, 0) + 1
    assert found == FIGURE_2_ROWS
    assert {"secure", "sf"} <= set(released.verified)


def test_the_classes_of_section_3_2(source: Path) -> None:
    problem = study(source, "Health = 2").problem
    batch = problem.tables.group(np.array([list(FIGURE_2.values())]))
    assert sorted(batch.sizes.tolist()) == [3, 3, 5]
    assert not insecure_classes(batch).any()


def test_secure_for_seriously_ill(source: Path) -> None:
    # u5, u6 and u7 satisfy it; no class lies inside {u5, u6, u7}.
    assert study(source, "Health = 2").evaluate(FIGURE_2).values["secure"] == 1


def test_insecure_for_u1_who_is_slightly_ill(source: Path) -> None:
    # The class of u1 is {u1, u2, u3}, and all of them satisfy (Health, 1).
    u1 = sf.ConfidentialStatement(protect="Health = 1", where="ID = u1")
    assert study(source, u1).evaluate(FIGURE_2).values["secure"] == 0
    # u8 protects the same and is in the class of u7 to u11, which does not tell it.
    u8 = sf.ConfidentialStatement(protect="Health = 1", where="ID = u8")
    assert study(source, u8).evaluate(FIGURE_2).values["secure"] == 1
    everybody = study(source, "Health = 1").evaluate(FIGURE_2)
    assert everybody.values["secure"] == 0


def test_security_and_quality(source: Path) -> None:
    values = study(source, "Health = 2").evaluate(FIGURE_2).values
    # 3 of 11 are seriously ill: 0 of 3, 2 of 3 and 1 of 5 in the classes.
    prior = math.log(3 / 11)
    risks = (
        3 * 0
        + 3 * (prior - math.log(2 / 3)) / prior
        + 5 * max((prior - math.log(1 / 5)) / prior, 0)
    )
    assert values["sf"] == pytest.approx(1 - risks / 11, rel=1e-12)
    assert round(values["sf"], 6) == 0.812382
    # Dates and ZIP codes in blocks of 3, 3 and 5 values, heights of 6 and 5; 11 values each.

    def entropy(*sizes: int) -> float:
        return -sum(size / 11 * math.log(size / 11) for size in sizes)

    quality = (2 * entropy(3, 3, 5) + entropy(6, 5)) / 3 / math.log(11)
    assert values["ql"] == pytest.approx(quality, rel=1e-12)
    assert round(values["ql"], 6) == 0.392454
    assert values["sf-ql"] == pytest.approx(values["sf"] * values["ql"], rel=1e-12)


def test_the_product_alone_favours_the_identity(source: Path) -> None:
    # So the best secure recoding is to be reported beside it.
    front = study(source, "Health = 2", ("secure", "sf-ql")).search().front
    best = max(front, key=lambda solution: solution.values["sf-ql"])
    assert best.levels == {"D.O.B.": 0, "ZIP": 0, "Height": 0}
    assert best.values == {"secure": 0.0, "sf-ql": pytest.approx(8 / 11)}
    secure = [solution for solution in front if solution.values["secure"] == 1]
    assert secure
    assert all(solution.values["sf-ql"] < 8 / 11 for solution in secure)


def test_the_recodings_that_are_secure(source: Path) -> None:
    # Health = 2 holds for u5, u6 and u7: they need somebody else in their classes.
    found = study(source, "Health = 2", ("secure",))
    table = {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in PEOPLE}
    hierarchies = found.hierarchies
    for levels in found.lattice:
        chosen = dict(zip(found.lattice.names, levels, strict=True))

        def classmates(person: str, chosen: dict[str, int] = chosen) -> set[str]:
            def block(name: str, who: str) -> int:
                hierarchy = hierarchies[name]
                leaf = hierarchy.domain.leaves.index(table[who][name])
                return int(hierarchy.levels[chosen[name]][leaf])

            return {
                other
                for other in table
                if all(block(name, other) == block(name, person) for name in chosen)
            }

        ill = {"u5", "u6", "u7"}
        expected = not any(classmates(person) <= ill for person in ill)
        assert found.evaluate(chosen, measures=["secure"]).values == {"secure": float(expected)}
