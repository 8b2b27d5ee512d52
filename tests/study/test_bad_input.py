from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.sources.source import ColumnarTable

PEOPLE = pd.DataFrame(
    {
        "age": ["30", "31", "38", "39"],
        "zip": ["24126", "24127", "24300", "24126"],
        "illness": ["flu", "flu", "cold", "cold"],
    }
)
AGE = sf.quasi_identifying("age", sf.Intervals(low=30, high=39, widths=(5,)))
ZIP = sf.quasi_identifying("zip", sf.Prefixes())
ILLNESS = sf.sensitive("illness")
LOSS = ("k", "loss")
ATTRIBUTES = (AGE, ZIP, ILLNESS)


def points(study: sf.Study, *names: str) -> list[tuple[float, ...]]:
    """Return the objective values of the front, which every exact search must find."""
    found = [
        [
            tuple(solution.values[name] for name in names)
            for solution in study.search(method=m).front
        ]
        for m in ("sweep", "branch-and-bound", "auto")
    ]
    assert found[0] == found[1] == found[2]
    return found[0]


def test_an_unknown_column() -> None:
    attributes = (*ATTRIBUTES, sf.identifying("Zip"), sf.identifying("surname"))
    with raises(sf.SourceError, code="unknown-column", column="Zip") as caught:
        sf.Study(source=PEOPLE, attributes=attributes).search()
    assert "'zip'" in str(caught.value)
    assert "'surname'" in str(caught.value)


@pytest.mark.parametrize(
    ("header", "delimiter", "meant"),
    [
        ("name;age;town", ",", ";"),
        ("name,age,town", ";", ","),
        ("name\tage\ttown", ";", "\\t"),
        ('"name"|"age"|"town"', ";", "|"),
        ("Name;Age (1, 2 or 3);Town", "|", ";"),
        ("name;age;town, land", ",", ";"),
    ],
)
def test_another_delimiter(header: str, delimiter: str, meant: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(f"{header}\n")
    source = sf.CsvFile(path=path, delimiter=delimiter, header=True, quote="")
    attributes = [sf.quasi_identifying("age", sf.Flat()), sf.identifying("name")]
    expected = f'delimiter = "{meant}"'
    with raises(sf.SourceError, code="wrong-delimiter", file=path, expected=expected):
        sf.Study(source=source, attributes=attributes).search()


def test_names_that_hold_a_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('"a;b",c\n1,2\n')
    attributes = [sf.quasi_identifying("d", sf.Flat()), sf.identifying("c")]
    with raises(sf.SourceError, code="unknown-column", column="d", expected=("a;b", "c")):
        sf.Study(source=path, attributes=attributes).search()


def test_a_header_that_was_not_seen(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("2019,2020\n1,2\n")
    attributes = [sf.quasi_identifying("2019", sf.Flat()), sf.insensitive("2020")]
    with raises(sf.SourceError, code="no-header", file=path, column="2019"):
        sf.Study(source=path, attributes=attributes).search()
    source = sf.CsvFile(path=path, header=True)
    assert sf.Study(source=source, attributes=attributes).search().front[0].values["k"] == 1.0


def test_a_value_outside_its_hierarchy(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    PEOPLE.to_csv(path, index=False)
    hierarchy_path = tmp_path / "zip.csv"
    hierarchy_path.write_text("24126;2412*;*\n24127;2412*;*\n")
    zip_codes = sf.quasi_identifying("zip", sf.read_hierarchy_csv(hierarchy_path))
    with raises(sf.HierarchyError, code="value-not-in-hierarchy", file=path, column="zip"):
        sf.Study(source=path, attributes=(AGE, zip_codes, ILLNESS)).search()
    young = sf.quasi_identifying("age", sf.Intervals(low=30, high=35, widths=(5,)))
    with raises(sf.HierarchyError, code="value-not-in-hierarchy", file=path, column="age"):
        sf.Study(source=path, attributes=(young, ZIP, ILLNESS)).search()


def test_a_hierarchy_that_splits(tmp_path: Path) -> None:
    path = tmp_path / "zip.csv"
    path.write_text("24126;241**;A;*\n24127;241**;B;*\n")
    with raises(sf.HierarchyError, code="level-splits", file=path, line=2, found="'241**'"):
        sf.read_hierarchy_csv(path)


def test_a_ragged_hierarchy_file(tmp_path: Path) -> None:
    path = tmp_path / "zip.csv"
    path.write_text("24126;2412*;*\n24127;*\n")
    with raises(sf.HierarchyError, code="ragged-rows", file=path, line=2):
        sf.read_hierarchy_csv(path)


@pytest.mark.parametrize(("text", "code"), [("", "empty-file"), ("age,zip,illness\n", "no-rows")])
def test_an_empty_file(text: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(text)
    with raises(sf.SourceError, code=code, file=path):
        sf.Study(source=path, attributes=ATTRIBUTES).search()


def test_an_empty_table() -> None:
    with raises(sf.SourceError, code="no-rows"):
        sf.Study(source=PEOPLE.head(0), attributes=ATTRIBUTES).search()


def test_one_row() -> None:
    # k is 1 however much is generalized, so that only what loses nothing remains: age as it is,
    # and the only ZIP that occurs at any of the levels 24126, 2412*, …, *, which tie.
    study = sf.Study(source=PEOPLE.head(1), attributes=ATTRIBUTES, objectives=LOSS)
    assert points(study, "k", "loss") == [(1.0, 0.0)] * 6
    assert [s.levels for s in study.search().front] == [{"age": 0, "zip": z} for z in range(6)]
    top = study.evaluate({"age": 2, "zip": 5})
    # Age has ten values, all in one block: 9/9. The one ZIP has nothing to lose.
    assert top.values["loss"] == 1.0
    assert top.values["k"] == 1.0
    assert top.values["distinct-l"] == 1.0


def test_one_column() -> None:
    # Blocks of ten values cost 0 (single), 4/9 (five values) and 9/9 (all ten) a row.
    study = sf.Study(source=PEOPLE[["age"]], attributes=[AGE], objectives=LOSS)
    assert points(study, "k", "loss") == [(1.0, 0.0), (2.0, 4 * 4 / 9), (4.0, 4.0)]


def test_all_rows_equal() -> None:
    # As with one row, the six levels of the only ZIP tie.
    same = pd.concat([PEOPLE.head(1)] * 7)
    study = sf.Study(source=same, attributes=ATTRIBUTES, objectives=("k", "loss", "distinct-l"))
    assert points(study, "k", "loss", "distinct-l") == [(7.0, 0.0, 1.0)] * 6


def test_more_combinations_than_rows() -> None:
    # Each row is alone until all is one class: only the finest and a class of everything remain.
    wide = pd.DataFrame({f"q{number}": ["a", "b", "c"] for number in range(8)})
    attributes = [sf.quasi_identifying(name, sf.Flat()) for name in wide.columns]
    study = sf.Study(source=wide, attributes=attributes, objectives=LOSS)
    assert points(study, "k", "loss") == [(1.0, 0.0), (3.0, 24.0)]


def test_more_combinations_than_a_machine_word_counts() -> None:
    wide = pd.DataFrame({f"q{number}": [str(row) for row in range(64)] for number in range(12)})
    wide = pd.concat([wide, wide])
    attributes = [sf.quasi_identifying(name, sf.Flat()) for name in wide.columns]
    study = sf.Study(source=wide, attributes=attributes, objectives=LOSS)
    # 64^12 combinations; every row of the 128 has one twin, and all cells lose all at the top.
    assert points(study, "k", "loss") == [(2.0, 0.0), (128.0, 128.0 * 12)]


@pytest.mark.parametrize("limit", [-0.01, -1, float("nan"), 1.5, True, "1%"])
def test_a_limit_that_is_none(limit: float) -> None:
    with pytest.raises(sf.SettingsError) as caught:
        sf.limited(limit)
    assert caught.value.code in ("out-of-range", "not-a-number")
    assert (caught.value.where.key, caught.value.found) == ("limit", repr(limit))


def test_a_negative_limit_says_so() -> None:
    with raises(sf.SettingsError, code="out-of-range", key="limit", found="-0.01"):
        sf.Study(source=PEOPLE, attributes=ATTRIBUTES, suppression=sf.limited(-0.01)).search()


@pytest.mark.parametrize(
    "objective", ["distinct-l", "entropy-l", "frequency-l", "t", "s-l", "p-sensitive"]
)
def test_an_objective_that_needs_a_sensitive_column(objective: str) -> None:
    study = sf.Study(
        source=PEOPLE,
        attributes=[AGE, ZIP, sf.insensitive("illness")],
        objectives=[objective, "loss"],
    )
    with pytest.raises(sf.SettingsError, match="needs a sensitive column and the study has none"):
        study.search()


def test_an_objective_that_needs_a_label() -> None:
    study = sf.Study(source=PEOPLE, attributes=ATTRIBUTES, objectives=["cm"])
    with pytest.raises(sf.SettingsError, match=r"needs a class label.*label=True"):
        study.search()


def test_an_unknown_objective() -> None:
    with raises(sf.SettingsError, code="unknown-measure", suggestion="weighted-k"):
        sf.Study(source=PEOPLE, attributes=ATTRIBUTES, objectives=["weighted_k"])


def test_objectives_that_make_no_problem() -> None:
    with raises(sf.SettingsError, code="too-few", key="objectives", found="empty"):
        sf.Study(source=PEOPLE, attributes=ATTRIBUTES, objectives=())
    with pytest.raises(sf.SettingsError, match="'k' is given more than once"):
        sf.Study(source=PEOPLE, attributes=ATTRIBUTES, objectives=("k", "k")).search()


def test_an_unknown_method() -> None:
    study = sf.Study(source=PEOPLE, attributes=ATTRIBUTES)
    with raises(sf.SettingsError, code="unknown-method", found="'swep'", suggestion="sweep"):
        study.search(method="swep")


@pytest.mark.parametrize(
    ("key", "given", "found"),
    [
        ("attributes", ["age", "zip"], "'age'"),
        ("objectives", [5], "5"),
        ("suppression", 0.01, "0.01"),
        ("missing", "drop", "'drop'"),
    ],
)
def test_settings_of_another_type(key: str, given: object, found: str) -> None:
    settings = {"source": PEOPLE, "attributes": ATTRIBUTES, key: given}
    with raises(sf.SettingsError, code="wrong-type", key=key, found=found):
        sf.Study(**settings)  # type: ignore[arg-type]


def test_a_single_attribute_and_a_single_objective_need_no_list() -> None:
    one: ColumnarTable = PEOPLE[["age"]]
    study = sf.Study(source=one, attributes=AGE, objectives="k")  # type: ignore[arg-type]
    assert points(study, "k") == [(4.0,)]


@pytest.mark.parametrize("role", [sf.identifying, sf.insensitive, sf.sensitive])
def test_no_quasi_identifier(role: type) -> None:
    with raises(sf.SettingsError, code="no-quasi-identifier"):
        sf.Study(source=PEOPLE, attributes=[role(name) for name in PEOPLE.columns])


def test_a_column_described_twice() -> None:
    with raises(sf.SettingsError, code="duplicate", column="zip"):
        sf.Study(source=PEOPLE, attributes=(*ATTRIBUTES, sf.identifying("zip")))


@pytest.mark.parametrize(
    ("mistake", "key", "found"),
    [
        (lambda: sf.Groups(levels={"EU": ["DE"]}), "levels", "a dict"),  # type: ignore[arg-type]
        (lambda: sf.Intervals(widths=10), "widths", "10"),  # type: ignore[arg-type]
        (lambda: sf.Prefixes(keep=3), "keep", "3"),  # type: ignore[arg-type]
        (lambda: sf.Flat(values="yes"), "values", "'yes'"),
        (lambda: sf.Dates(levels="year"), "levels", "'year'"),  # type: ignore[arg-type]
    ],
)
def test_one_thing_where_a_list_is_expected(
    mistake: Callable[[], object], key: str, found: str
) -> None:
    with raises(sf.SettingsError, code="not-a-list", key=key, found=found):
        mistake()


@pytest.mark.parametrize(
    ("mistake", "code", "suggestion"),
    [
        (lambda: sf.limited(0.02, threshold="larges"), "unknown-choice", "largest"),  # type: ignore[arg-type]
        (lambda: sf.measure("t-closeness"), "unknown-measure", "t"),
        (lambda: sf.measure("l-diversity"), "unknown-measure", "distinct-l"),
    ],
)
def test_slips_in_settings_teach(mistake: Callable[[], object], code: str, suggestion: str) -> None:
    with raises(sf.SettingsError, code=code, suggestion=suggestion):
        mistake()


def test_a_table_given_by_mistake_is_not_printed() -> None:
    table = pd.DataFrame({"name": ["Canary Smith"], "sex": ["F"]})
    with raises(sf.SettingsError, code="not-a-hierarchy", found="a Series") as raised:
        sf.quasi_identifying("sex", table["name"])
    assert "Canary" not in str(raised.value) + repr(vars(raised.value))
    study = sf.Study(
        source=table,
        attributes=[sf.identifying("name"), sf.quasi_identifying("sex", sf.Flat())],
    )
    assert "Canary" not in repr(study)


def test_search_and_evaluate_check_their_arguments() -> None:
    table = pd.DataFrame({"sex": ["F", "F", "M", "M", "M"]})
    study = sf.Study(source=table, attributes=[sf.quasi_identifying("sex", sf.Flat())])
    for threads in (0, -1, "2", True):
        with pytest.raises(sf.SettingsError, match="whole number from 1 up"):
            study.search(threads=threads)  # type: ignore[arg-type]
    with pytest.raises(sf.SettingsError, match="with progress_bar"):
        study.search(listener=sf.progress_bar())  # type: ignore[arg-type]
    with raises(sf.SettingsError, code="wrong-type", key="levels", found="a tuple"):
        study.evaluate((0,))  # type: ignore[arg-type]
    with raises(sf.SettingsError, code="wrong-type", key="measures", found="3"):
        study.evaluate({"sex": 0}, measures=[3])  # type: ignore[list-item]
    best = study.search().front.to_pandas().iloc[-1]
    assert study.evaluate({"sex": best["level:sex"]}).values["k"] == 5
    assert study.search().front[best["id"]].values["k"] == 5


def test_a_solution_can_be_evaluated_as_it_is() -> None:
    table = pd.DataFrame({"sex": ["F", "M", "M", "M"], "zip": ["1", "1", "2", "2"]})
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("sex", sf.Flat()),
            sf.quasi_identifying("zip", sf.Flat()),
        ],
        suppression=sf.limited(2, threshold="every"),
    )
    front = study.search().front
    assert len({solution.threshold for solution in front}) > 1
    for solution in front:
        metrics = study.evaluate(solution)
        assert metrics.suppressed == solution.suppressed
        assert {name: metrics.values[name] for name in solution.values} == solution.values
