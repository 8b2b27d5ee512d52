"""The three ways to the exact front agree on Adult, and its published sizes hold."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.search.adult_brute_force import AdultRows, best

from sfumato.classes.suppression import Threshold, limited
from sfumato.datasets.adult import QUASI_IDENTIFIERS, adult
from sfumato.datasets.adult_file import hierarchy_path

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.study import Study

OBJECTIVES = (("k", "loss"), ("k", "distinct-l", "loss"), ("s-k", "loss"))
SETTINGS = tuple(itertools.product((0.0, 0.01, 0.1), tuple(Threshold)))
HIGHER = {"k", "distinct-l", "s-k"}

Signature = tuple[tuple[int, ...], int, tuple[float, ...]]


@pytest.fixture(scope="module")
def study(adult_path: Path) -> Study:
    return adult(adult_path)


@pytest.fixture(scope="module")
def expected(adult_path: Path) -> dict[tuple[float, Threshold, tuple[str, ...]], set[Signature]]:
    """The fronts of all settings from the rows, in one pass over the lattice."""
    columns = (*QUASI_IDENTIFIERS, "salary-class")
    rows = AdultRows.read(
        adult_path, [(name, hierarchy_path(name)) for name in columns], "occupation"
    )
    assert rows.rows == 30_162
    gathered: dict[tuple[float, Threshold], list[tuple[tuple[int, ...], dict[str, np.ndarray]]]]
    gathered = {setting: [] for setting in SETTINGS}
    for node in rows.nodes():
        for limit, threshold in SETTINGS:
            budget = int(limit * 100) * rows.rows // 100
            metrics = rows.candidates(node, budget, every=threshold is Threshold.EVERY)
            gathered[limit, threshold].append((node.levels, metrics))
    fronts: dict[tuple[float, Threshold, tuple[str, ...]], set[Signature]] = {}
    for (limit, threshold), nodes in gathered.items():
        assert len(nodes) == 17_920
        levels = [levels for levels, metrics in nodes for _ in metrics["k"]]
        together = {
            name: np.concatenate([metrics[name] for _, metrics in nodes]).astype(np.float64)
            for name in nodes[0][1]
        }
        for objectives in OBJECTIVES:
            values = np.stack([together[name] for name in objectives], axis=1)
            winners = np.flatnonzero(best(values, [name in HIGHER for name in objectives]))
            fronts[limit, threshold, objectives] = {
                (levels[i], int(together["suppressed"][i]), tuple(values[i].tolist()))
                for i in winners
            }
    return fronts


@pytest.mark.parametrize("objectives", OBJECTIVES, ids="-".join)
@pytest.mark.parametrize(("limit", "threshold"), SETTINGS)
def test_the_exact_searches_find_what_the_rows_give(
    study: Study,
    expected: dict[tuple[float, Threshold, tuple[str, ...]], set[Signature]],
    objectives: tuple[str, ...],
    limit: float,
    threshold: Threshold,
) -> None:
    asked = adult(
        study.source.path,  # type: ignore[union-attr]
        objectives=objectives,
        suppression=limited(limit, threshold=threshold),
    )
    asked.__dict__["count_table"] = study.count_table
    # At 10 % bounds exclude little: the anytime search would evaluate as much as branch and bound
    # does, for minutes.
    anytime = ("anytime",) if limit <= 0.01 else ()
    for method in ("sweep", "branch-and-bound", *anytime):
        result = asked.search(method=method)
        assert result.exact
        assert result.nodes == 17_920
        found = {
            (tuple(s.levels.values()), s.suppressed, tuple(s.values[o] for o in objectives))
            for s in result.front
        }
        assert len(found) == len(result.front)
        assert found == expected[limit, threshold, objectives]


def test_the_lattices_of_pbg_table_1a(study: Study, adult_path: Path) -> None:
    assert study.lattice.nodes == 17_920
    assert study.lattice.heights == (6, 3, 3, 3, 1, 1, 4, 1)
    assert study.count_table.rows == 30_162
    assert study.count_table.cells == 12_458
    assert study.suppression.budget(study.count_table.rows) == 301
    labelled = adult(adult_path, salary_as_label=True)
    assert labelled.lattice.nodes == 8_960
    assert labelled.count_table.label is not None


def test_branch_and_bound_looks_at_a_small_part_of_adult(study: Study) -> None:
    for objectives, share in (
        (("k", "loss"), 0.06),
        (("s-k", "loss"), 0.06),
        (("s-k", "s-l", "loss"), 0.06),
        (("k", "distinct-l", "loss"), 0.08),
    ):
        asked = adult(study.source.path, objectives=objectives)  # type: ignore[union-attr]
        asked.__dict__["count_table"] = study.count_table
        result = asked.search(method="branch-and-bound")
        assert result.evaluated <= share * result.nodes
