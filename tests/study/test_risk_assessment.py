"""A recoding has the same risk as the file that is made of it, whatever kind of recoding it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.release.ledger.ledger_tables import patients

import sfumato as sf
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("prosecutor-risk", "mean-prosecutor-risk", "journalist-risk", "mean-journalist-risk")


def study_of(space: str, *, person: bool = False, limit: float = 0.05) -> sf.Study:
    rows = patients()
    return sf.Study(
        source=rows,
        attributes=[
            sf.identifying("name", person=person),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=79, widths=(10, 30))),
            sf.quasi_identifying("zip", sf.Prefixes(keep=(3,))),
            sf.quasi_identifying("sex", sf.Flat()),
            sf.sensitive("illness"),
        ],
        objectives=["k", "normalized-loss"],
        require=["k>=4"],
        space=space,
        suppression=sf.limited(limit) if space != "local" else sf.Suppression(),
        population=None if person else sf.Population(table=rows),
    )


@pytest.mark.parametrize(("space", "method"), [("lattice", "auto"), ("local", "top-down")])
def test_a_recoding_and_its_file_have_the_risk_of_the_measures(
    space: str, method: str, tmp_path: Path
) -> None:
    study = study_of(space)
    solution = study.pick(study.search(method=method).front).solution
    values = study.evaluate(solution).values
    release = study.release(solution, tmp_path / "released.csv", ledger=False)
    recoded, written = (study.risk(each).after for each in (solution, release.path))
    for found in (recoded, written):
        assert found is not None
        assert found.journalist is not None
        told = (
            found.prosecutor.highest,
            found.prosecutor.mean,
            found.journalist.highest,
            found.journalist.mean,
        )
        assert told == pytest.approx([values[name] for name in NAMES])
        assert found.rows == release.rows
        assert found.suppressed == release.suppressed
    assert recoded is not None
    assert written is not None
    assert recoded.prosecutor == written.prosecutor
    assert recoded.journalist == written.journalist
    assert recoded.subsets == written.subsets


def test_a_file_does_not_tell_its_people(tmp_path: Path) -> None:
    study = study_of("lattice", person=True)
    solution = study.pick(study.search().front).solution
    release = study.release(solution, tmp_path / "released.csv", ledger=False)
    with raises(SettingsError, code="needs-people"):
        study.risk(release.path)
    assert study.risk(solution).counts_people


def test_a_population_without_the_people_of_a_file(tmp_path: Path) -> None:
    study = study_of("lattice")
    rows = patients()
    rows.loc[len(rows)] = rows.loc[0]
    rows.loc[len(rows)] = rows.loc[0]
    rows.drop(columns="name").to_csv(tmp_path / "more.csv", index=False)
    with raises(SettingsError, code="population-too-small", key="population"):
        study.risk(tmp_path / "more.csv")


def test_nothing_is_released() -> None:
    rows = patients()
    study = sf.Study(
        source=rows,
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=79, widths=(10,))),
            sf.insensitive("zip"),
            sf.insensitive("sex"),
            sf.sensitive("illness"),
        ],
        suppression=sf.given_k(len(rows) + 1),
        population=sf.Population(fraction=0.5),
    )
    found = study.risk({"age": 0}).after
    assert found is not None
    assert (found.rows, found.suppressed, found.classes) == (0, len(rows), 0)
    assert (found.subsets, found.uniques, found.individual) == ((), None, None)
    assert found.prosecutor.highest == 1.0
