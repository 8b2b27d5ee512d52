"""A missing value is in no group that has a name: nothing is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

NAMED_TOPS = {
    "a single group": sf.Groups(levels=({"Europe": ["DE", "FR"]},)),
    "a file": sf.Hierarchy.from_rows([("DE", "EU", "Europe"), ("FR", "EU", "Europe")]),
    "partitions": sf.AdmissiblePartitions.of(
        {"continent": ["Europe", "Europe"]}, values=["DE", "FR"]
    ),
}


@pytest.mark.parametrize("hierarchy", NAMED_TOPS.values(), ids=list(NAMED_TOPS))
def test_a_named_top_says_nothing_of_missing_values(hierarchy: object, tmp_path: Path) -> None:
    table = pd.DataFrame({"country": ["DE", "FR", None, None]})
    partitions = isinstance(hierarchy, sf.AdmissiblePartitions)
    study = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("country", hierarchy)],  # type: ignore[arg-type]
        space="admissible" if partitions else "lattice",
    )
    fitted = study.hierarchies["country"]
    assert (fitted.labels[-2], fitted.labels[-1]) == (("Europe", "(missing)"), ("*",))
    release = study.release({"country": fitted.height - 1}, tmp_path / "named.csv")
    assert sorted(pd.read_csv(release.path)["country"]) == ["(missing)"] * 2 + ["Europe"] * 2
    release = study.release({"country": fitted.height}, tmp_path / "top.csv")
    assert set(pd.read_csv(release.path)["country"]) == {"*"}


def test_without_missing_values_a_named_top_is_the_top() -> None:
    study = sf.Study(
        source=pd.DataFrame({"country": ["DE", "FR"]}),
        attributes=[sf.quasi_identifying("country", NAMED_TOPS["a single group"])],  # type: ignore[arg-type]
    )
    assert study.hierarchies["country"].labels[-1] == ("Europe",)
