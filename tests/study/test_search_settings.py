"""The tables of methods in a study file: read, checked, copied and used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import ValidationError
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.search.methods.pbg_ea.settings import PbgEaSettings
from sfumato.search.space import Space
from sfumato.study.file.search_table import settings_kinds, settings_table
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run, write_run

PBG = """
[search]
method = "pbg-ea"
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
    ("text", "said"),
    [
        (
            "[search.pbg-ea]\npopluation = 3\n",
            r"\[search.pbg-ea\] has no key 'popluation' \(did you mean 'population'\?\); its keys "
            "are population, iterations, crossover, mutation, epsilon",
        ),
        ("[search.pgb-ea]\npopulation = 3\n", r"no key 'pgb-ea' \(did you mean 'pbg-ea'\?\)"),
        ("[search]\niterations = 3\n", r"'iterations'; it belongs under \[search.pbg-ea\]"),
        ("[search]\npopulation = 3\n", r"under \[search.aog-ga\] or \[search.genitor\] or"),
        ("[search.pbg-ea]\nseed = 3\n", r"no key 'seed'; it belongs under \[search\]"),
        ("[search]\npbg-ea = 3\n", r"\[search.pbg-ea\] is 3; it must be a table"),
        (
            '[search.pbg-ea]\npopulation = "many"\n',
            r'\[search.pbg-ea\] population is "many"; it must be a whole number, such as ',
        ),
        ("[search.pbg-ea]\npopulation = 1\n", r"\[search.pbg-ea\]: population is 1; use a whole"),
        ("[search.pbg-ea]\ncrossover = 7\n", r"\[search.pbg-ea\]: crossover is 7; use a prob"),
        ("[search.pbg-ea]\nepsilon = 5\n", "it must be a table of numbers, such as epsilon = {"),
        ("[search.pbg-ea]\nepsilon = { k = 0 }\n", r"\[search.pbg-ea\]: a box cannot be 0 wide"),
    ],
)
def test_wrong_settings(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(sf.SettingsError, match=said):
        read_study_file(write_people(tmp_path, PEOPLE + text))


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
