"""What ``sfumato init`` costs on Adult without an edit, beside the hierarchies that ship for it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.cli.main import main
from sfumato.datasets.adult_file import hierarchy_path
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.microdata.roles import Role
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

MOST = 1.3
"""What the proposal may lose, times the loss with the shipped hierarchies."""


def least_loss(study: sf.Study) -> float:
    """Return the least normalized loss at k ≥ 5, from an exact search."""
    result = study.search()
    assert result.exact
    solution = sf.pick("k>=5", result.front).solution
    assert solution.suppressed <= 0.01 * 30_162
    return solution.values["normalized-loss"]


@pytest.mark.slow
@pytest.mark.parametrize("required", [("k>=5",), ("k>=5", "distinct-l>=2")], ids=str)
def test_a_study_that_nobody_edited_loses_little_more(
    adult_path: Path, tmp_path: Path, required: tuple[str, ...]
) -> None:
    table = tmp_path / "adult.csv"
    shutil.copy(adult_path, table)
    assert main(["init", str(table), "--quiet"]) == 0
    proposed = read_study_file(tmp_path / "study.toml").study
    assert proposed.suppression == sf.limited(0.01)
    # The salary has two classes: nobody is made to have both of them in every class.
    assert list(map(str, proposed.required)) == ["k>=5"]
    names = [each.name for each in proposed.attributes if each.role is Role.QUASI_IDENTIFYING]
    assert len(names) == 8
    losses = []
    for attributes in (
        proposed.attributes,
        [
            sf.quasi_identifying(each.name, read_hierarchy_csv(hierarchy_path(each.name)))
            if each.name in names
            else each
            for each in proposed.attributes
        ],
    ):
        study = sf.Study(
            source=proposed.source,
            attributes=attributes,
            objectives=("k", "normalized-loss"),
            suppression=sf.limited(0.01),
            require=required,
        )
        losses.append(least_loss(study))
    own, shipped = losses
    assert own <= MOST * shipped, f"{own:.5f} against {shipped:.5f}"
