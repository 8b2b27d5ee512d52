"""The tables of methods in a study file: read, checked, copied and used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import ValidationError
from tests.raised import raises
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.search.methods.pbg_ea import PbgEaSettings
from sfumato.search.space import Space
from sfumato.study.file.search_table import settings_kinds, settings_table
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run, write_run

PBG = """
[search]
method = "pbg-ea"
objectives = ["k", "loss"]
seed = 3

[search.pbg-ea]
population = 4
iterations = 6
mutation = 0.5
epsilon = { k = 2, loss = 10.5 }
"""


def test_a_method_has_a_table_of_its_own(tmp_path: Path) -> None:
    read = read_study_file(write_people(tmp_path, PEOPLE + PBG))
    expected = PbgEaSettings(
        population=4, iterations=6, mutation=0.5, epsilon={"k": 2, "loss": 10.5}
    )
    assert read.search.for_space(Space.LATTICE) == expected
    assert (read.search.method, read.search.seed) == ("pbg-ea", 3)
    without = read_study_file(write_people(tmp_path, PEOPLE + '[search]\nmethod = "pbg-ea"\n'))
    assert without.search.for_space(Space.LATTICE) is None


def test_settings_of_a_method_that_is_not_chosen_are_kept(tmp_path: Path) -> None:
    text = PEOPLE + "[search.pbg-ea]\niterations = 7\n"
    search = read_study_file(write_people(tmp_path, text)).search
    assert search.method == "auto"
    assert search.for_space(Space.LATTICE) is None
    assert search.settings == {"pbg-ea": PbgEaSettings(iterations=7)}


def test_the_copy_in_a_run_keeps_them_and_gives_the_same_result(tmp_path: Path) -> None:
    study_file = read_study_file(write_people(tmp_path, PEOPLE + PBG))
    search = study_file.search
    found = study_file.study.search(
        method=search.method, settings=search.for_space(Space.LATTICE), seed=search.seed
    )
    run = write_run(tmp_path / "run", study_file, found, seconds=1)
    assert run.result == found
    copy = read_run(tmp_path / "run").study_file
    assert copy.search == search


@pytest.mark.parametrize(
    ("text", "code", "table", "key", "suggestion", "remedy"),
    [
        (
            "[search.pbg-ea]\npopluation = 3\n",
            *("unknown-key", "[search.pbg-ea]", "popluation", "population", None),
        ),
        (
            "[search.pgb-ea]\npopulation = 3\n",
            *("unknown-key", "[search]", "pgb-ea", "pbg-ea", None),
        ),
        (
            "[search]\niterations = 3\n",
            *("unknown-key", "[search]", "iterations", None, "[search.pbg-ea]"),
        ),
        (
            "[search]\npopulation = 3\n",
            *("unknown-key", "[search]", "population", None, "[search.aog-ga] or [search.genitor]"),
        ),
        (
            "[search.pbg-ea]\nseed = 3\n",
            *("unknown-key", "[search.pbg-ea]", "seed", None, "[search]"),
        ),
        ("[search]\npbg-ea = 3\n", "wrong-type", "[search.pbg-ea]", None, None, None),
        (
            '[search.pbg-ea]\npopulation = "many"\n',
            *("wrong-type", "[search.pbg-ea]", "population", None, None),
        ),
        ("[search.pbg-ea]\nepsilon = 5\n", "wrong-type", "[search.pbg-ea]", "epsilon", None, None),
    ],
)
def test_wrong_keys(
    tmp_path: Path,
    text: str,
    code: str,
    table: str,
    key: str | None,
    suggestion: str | None,
    remedy: str | None,
) -> None:
    path = write_people(tmp_path, PEOPLE + text)
    wanted = {"code": code, "table": table, "key": key, "suggestion": suggestion}
    with raises(sf.SettingsError, file=path, **wanted) as caught:  # type: ignore[arg-type]
        read_study_file(path)
    assert remedy is None or remedy in str(caught.value.remedy)


@pytest.mark.parametrize("text", ["population = 1", "crossover = 7", "epsilon = { k = 0 }"])
def test_wrong_settings(tmp_path: Path, text: str) -> None:
    path = write_people(tmp_path, f"{PEOPLE}[search.pbg-ea]\n{text}\n")
    with pytest.raises(sf.SettingsError) as caught:
        read_study_file(path)
    assert (caught.value.where.file, caught.value.where.table) == (str(path), "[search.pbg-ea]")


@dataclass(frozen=True, kw_only=True)
class AnySettings:
    """All kinds of fields that a study file can set."""

    big_number: int = 3
    share: float | None = None
    loud: bool = False
    name: str = "x"
    way: Literal["up", "down"] = "up"


def test_every_kind_of_field_can_be_read() -> None:
    table = settings_table("any", AnySettings)
    assert table.key_names() == ("big-number", "share", "loud", "name", "way")
    given = {"big-number": 5, "share": 0.5, "loud": True, "name": "y", "way": "down"}
    assert table.model_validate(given).model_dump() == {
        "big_number": 5,
        "share": 0.5,
        "loud": True,
        "name": "y",
        "way": "down",
    }
    assert AnySettings(**table.model_validate({}).model_dump()) == AnySettings()
    for wrong in ({"way": "left"}, {"loud": "yes"}, {"share": "all"}, {"big_number": 5}):
        with pytest.raises(ValidationError):
            table.model_validate(wrong)


def test_a_field_says_what_it_is_for() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Described:
        size: Annotated[int, "How many there are."] = 3

    field = settings_table("any", Described).model_fields["size"]
    assert (field.description, field.default) == ("How many there are.", 3)


@pytest.mark.parametrize("method", sorted(settings_kinds()))
def test_the_documentation_names_every_setting(method: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "study-file.md").read_text(encoding="utf-8")
    for key in settings_table(method, settings_kinds()[method]).key_names():
        assert f"`[search.{method}] {key}`" in page
