"""The texts of queries and workloads, and what is wrong with some."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError
from sfumato.utility.query_parser import parse_query
from sfumato.utility.random_queries import RandomWorkload
from sfumato.utility.workload import Workload, read_workload

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = pd.DataFrame({"age": [20, 25, 31], "town": ["Bonn", "Ulm", "Bonn"], "ill": list("aab")})


def study() -> sf.Study:
    return sf.Study(
        source=PEOPLE,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=20, high=39, widths=(10,))),
            sf.quasi_identifying("town", sf.Groups(levels=[{"Rhine": ["Bonn"], "South": ["Ulm"]}])),
            sf.sensitive("ill"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("where age >= 20 and town in {Bonn, Ulm}", [">=", "in"]),
        ('`age` BETWEEN 20 AND 30 and town != "Bonn"', ["between", "!="]),
        ("town in (Bonn)", ["in"]),
    ],
)
def test_queries_that_can_be_read(text: str, signs: list[str]) -> None:
    assert [each.sign for each in parse_query(text)] == signs


@pytest.mark.parametrize(
    "text",
    ["", "age", "age between 20", "age in {", "age = 20 or age = 30", "age in {20, }", 'a = "b'],
)
def test_queries_that_cannot(text: str) -> None:
    with raises(SettingsError, code="not-a-query", key="queries", found=repr(text)):
        parse_query(text)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("height = 3", "unknown-column", "height"),
        ("town = Koln", "unknown-value", "town"),
        ("town > 3", "not-a-number", "town"),
        ("age > tall", "not-a-number", "age"),
        ("age > 3 and age < 40", "duplicate", "age"),
    ],
)
def test_queries_about_what_is_not_there(text: str, code: str, column: str) -> None:
    with raises(SettingsError, code=code, column=column):
        study().utility({"age": 1, "town": 0}, workload=Workload(queries=(text,), random=None))


def test_a_group_of_the_hierarchy_stands_for_its_values() -> None:
    found = study().utility(
        {"age": 0, "town": 0}, workload=Workload(queries=("town = Rhine",), random=None)
    )
    assert (found.queries[0].before, found.queries[0].after) == (2, 2.0)


def test_a_workload_file(tmp_path: Path) -> None:
    path = tmp_path / "queries.toml"
    path.write_text('queries = ["age > 3"]\n[random]\ncount = 7\n', encoding="utf-8")
    assert read_workload(path) == Workload(queries=("age > 3",), random=RandomWorkload(count=7))
    path.write_text('queries = ["age > 3"]\n', encoding="utf-8")
    assert read_workload(path).random is None


@pytest.mark.parametrize(
    ("content", "code", "key"),
    [
        ("querys = []", "unknown-key", "querys"),
        ("[random]\ncolums = 2", "unknown-key", "colums"),
        ("[random]\nselectivity = 2", "out-of-range", "selectivity"),
        ('queries = "age > 3"', "wrong-type", "queries"),
        ("", "too-few", "queries"),
        ("queries = [", "not-toml", None),
    ],
)
def test_workload_files_with_faults(tmp_path: Path, content: str, code: str, key: str) -> None:
    path = tmp_path / "queries.toml"
    path.write_text(content, encoding="utf-8")
    with raises(SettingsError, code=code, file=path, **({"key": key} if key else {})):
        read_workload(path)
