"""The study file: what it says becomes a study, and every slip is named with its place."""

from __future__ import annotations

import warnings
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.study.people import ATTRIBUTES, people
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.errors import Notice
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.study.file.column_table import COLUMN_TABLES
from sfumato.study.file.search_table import SearchSettings, SearchTable
from sfumato.study.file.study_document import study_document, tables_of
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from collections.abc import Sequence


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> sf.SfumatoError:
    """Return the error with which a study file is refused."""
    path = write(folder, text)
    with pytest.raises(sf.SfumatoError) as caught:
        read_study_file(path)
    error = caught.value
    assert (error.where.via or error.where).file == str(path), "an error names the file"
    assert str(error).startswith(str(path))
    assert str(error).count(str(path)) == 1
    return error


QI = '[columns.zip]\nrole = "quasi-identifying"\n'
SOURCE = '[source]\npath = "people.csv"\n'
ZIP = SOURCE + QI + "hierarchy = { prefix = 5 }\n"


def test_a_study_file_is_the_study_it_describes(tmp_path: Path) -> None:
    extra = """
[missing]
policy = "drop"
markers = ["?"]
label = "unknown"
[suppression]
policy = "limit"
limit = 0.1
threshold = "every"
[search]
method = "sweep"
objectives = ["k", "normalized-loss", "recursive-l(c=3)"]
seed = 7
[release]
suppressed = "star"
"""
    read = read_study_file(write_people(tmp_path, PEOPLE + extra))
    assert read.text == PEOPLE + extra
    assert (read.search, read.suppressed_rows) == (SearchSettings(method="sweep", seed=7), "star")
    study = read.study
    assert study.source == sf.CsvFile(path=tmp_path / "people.csv")
    assert [(a.name, a.role, a.label, a.weight) for a in study.attributes] == [
        (a.name, a.role, a.label, a.weight) for a in ATTRIBUTES
    ]
    assert study.missing == sf.MissingValues(policy="drop", markers=("?",), label="unknown")  # type: ignore[arg-type]
    assert study.suppression == sf.limited(0.1, threshold="every")
    assert list(map(str, study.objectives)) == ["k", "normalized-loss", "recursive-l(c=3)"]
    # The same study written in Python has the same front.
    other = sf.Study(
        source=people(),
        attributes=ATTRIBUTES,
        objectives=study.objectives,
        suppression=study.suppression,
        missing=study.missing,
    )
    assert study.search(method="sweep").front == other.search(method="sweep").front


def test_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    read = read_study_file(write_people(tmp_path))
    assert list(map(str, read.study.objectives)) == ["k", "normalized-loss"]
    assert read.study.suppression == sf.NO_SUPPRESSION
    assert read.study.missing == sf.MissingValues()
    assert not read.study.unlisted_insensitive
    assert (read.search, read.suppressed_rows) == (SearchSettings(method="auto", seed=1), "drop")


def test_reading_does_not_read_the_data(tmp_path: Path) -> None:
    study = read_study_file(write(tmp_path, ZIP)).study
    with raises(sf.SourceError, code="no-such-file", file=tmp_path / "people.csv"):
        _ = study.count_table


def test_paths_are_relative_to_the_study_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_people(tmp_path / "deep")
    monkeypatch.chdir(tmp_path)
    assert read_study_file("deep/study.toml").study.count_table.rows == 80
    absolute = PEOPLE.replace('"people.csv"', f'"{tmp_path}/deep/people.csv"')
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "sex.csv").write_text("F;*\nM;*\n")
    assert read_study_file(write(tmp_path, absolute)).study.count_table.rows == 80


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('path = "a.csv"', "CsvFile(path=X('a.csv'))"),
        ('path = "a.tsv.gz"', "CsvFile(path=X('a.tsv.gz'))"),
        (
            'path = "a.dat"\ndelimiter = ";"\nquote = ""\nencoding = "latin-1"\nheader = false',
            "CsvFile(path=X('a.dat'), delimiter=';', quote='', encoding='latin-1', header=False)",
        ),
        ('path = "a.parquet"', "ParquetFile(path=X('a.parquet'))"),
        ('path = "a.duckdb"\ntable = "x.y"', "DatabaseTable(path=X('a.duckdb'), table='x.y')"),
        ('path = "a"\ntable = "t"', "DatabaseTable(path=X('a'), table='t')"),
    ],
)
def test_sources(source: str, expected: str, tmp_path: Path) -> None:
    study = read_study_file(
        write(tmp_path, f"[source]\n{source}\n{QI}hierarchy = {{ flat = true }}\n")
    ).study
    names = {name: getattr(sf, name) for name in ("CsvFile", "ParquetFile", "DatabaseTable")}
    assert study.source == eval(expected, {**names, "X": lambda name: tmp_path / name})


VALUES = ["24126", "24127", "24300"]
DAYS = ["1998-03-14", "2001-12-31"]


@pytest.mark.parametrize(
    ("written", "values", "builder"),
    [
        ("{ intervals = [5, 10] }", ["17", "40"], sf.Intervals(widths=(5, 10))),
        (
            "{ intervals = [0.5, 1], unit = 0.1, low = 0, high = 3.5, origin = 0.5 }",
            ["1", "2.25"],
            sf.Intervals(widths=(0.5, 1), unit=0.1, low=0, high=3.5, origin=0.5),
        ),
        ("{ prefix = 5 }", VALUES, sf.Prefixes(length=5)),
        ("{ prefix = true }", [*VALUES, "1"], sf.Prefixes()),
        (
            '{ prefix = 5, keep = [3, 1], values = ["24126", "24127", "24300", "99999"] }',
            VALUES,
            sf.Prefixes(length=5, keep=(3, 1), values=(*VALUES, "99999")),
        ),
        ('{ date = ["month", "year"] }', DAYS, sf.Dates(levels=("day", "month", "year"))),
        ('{ date = ["day", "year"] }', DAYS, sf.Dates(levels=("day", "year"))),
        ('{ date = ["year"], unit = "month" }', DAYS, sf.Dates(levels=("month", "year"))),
        ('{ date = ["month"], unit = "month" }', DAYS, sf.Dates(levels=("month",))),
        (
            '{ date = ["year"], format = "%d.%m.%Y", first = 1990-01-01, last = "2009-12-31" }',
            ["14.03.1998"],
            sf.Dates(
                levels=("day", "year"),
                format="%d.%m.%Y",
                first=date(1990, 1, 1),
                last=date(2009, 12, 31),
            ),
        ),
        (
            '{ groups = [{ "Once married" = ["Divorced", "Widowed"], Married = ["Married"] }] }',
            ["Married"],
            sf.Groups(levels=[{"Once married": ["Divorced", "Widowed"], "Married": ["Married"]}]),
        ),
        ("{ flat = true }", ["a", "b"], sf.Flat()),
        ('{ flat = ["b", "a"] }', ["a", "b"], sf.Flat(values=("b", "a"))),
    ],
)
def test_builders(
    written: str,
    values: Sequence[str],
    builder: sf.Intervals | sf.Prefixes | sf.Dates | sf.Groups | sf.Flat,
    tmp_path: Path,
) -> None:
    study = read_study_file(write(tmp_path, f"{SOURCE}{QI}hierarchy = {written}\n")).study
    found = study.attributes[0].hierarchy
    assert found is not None
    assert not isinstance(found, PartitionedDomain)
    assert found.build(values, column="zip") == builder.build(values, column="zip")


def test_hierarchy_files(tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_text("é,2*,*\n24,2*,*\n", encoding="latin-1")
    table = '{ file = "zip.csv", delimiter = ",", encoding = "latin-1" }'
    study = read_study_file(write(tmp_path, f"{SOURCE}{QI}hierarchy = {table}\n")).study
    expected = sf.read_hierarchy_csv(tmp_path / "zip.csv", delimiter=",", encoding="latin-1")
    assert study.attributes[0].hierarchy == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"equal"', sf.EqualDistance()),
        ('"ordered"', sf.OrderedDistance()),
        ('{ ordered = ["low", "high"] }', sf.OrderedDistance(order=("low", "high"))),
    ],
)
def test_distances(written: str, expected: object, tmp_path: Path) -> None:
    text = f'{ZIP}[columns.pain]\nrole = "sensitive"\ndistance = {written}\n'
    assert read_study_file(write(tmp_path, text)).study.attributes[1].ground_distance == expected


def test_a_distance_by_a_hierarchy(tmp_path: Path) -> None:
    (tmp_path / "pain.csv").write_text("low;x;*\nhigh;x;*\n")
    text = f'{ZIP}[columns.pain]\nrole = "sensitive"\ndistance = {{ hierarchy = "pain.csv" }}\n'
    distance = read_study_file(write(tmp_path, text)).study.attributes[1].ground_distance
    assert isinstance(distance, sf.HierarchicalDistance)
    assert distance.hierarchy == sf.read_hierarchy_csv(tmp_path / "pain.csv")


def test_columns_that_are_not_listed(tmp_path: Path) -> None:
    text = PEOPLE.replace('[columns.name]\nrole = "identifying"\n', "")
    path = write_people(tmp_path, text)
    file = tmp_path / "people.csv"
    with raises(sf.SourceError, code="unlisted-columns", file=file, found="'name'") as caught:
        read_study_file(path).study.search()
    assert f'unlisted = "insensitive" under [source] of {path}' in str(caught.value.remedy)
    assert "unlisted_insensitive" not in str(caught.value)
    path.write_text(text.replace('"people.csv"', '"people.csv"\nunlisted = "insensitive"'))
    assert read_study_file(path).study.count_table.rows == 80


def test_names_need_no_care(tmp_path: Path) -> None:
    text = f'{SOURCE}[columns."age, in = \\"years\\""]\nrole = "insensitive"\n{QI}'
    study = read_study_file(write(tmp_path, text + "hierarchy = { flat = true }\n")).study
    assert study.attributes[0].name == 'age, in = "years"'


def test_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ZIP.replace("\n", "\r\n").encode())
    assert read_study_file(path).study.attributes[0].name == "zip"


@pytest.mark.parametrize(
    ("text", "line", "character", "hint"),
    [
        ("[source]\npath = people.csv\n", 2, 8, 'texts stand in quotes: path = "people.csv"'),
        ("[columns.marital status]\n", 1, 18, "a name with blanks or dots stands in quotes"),
        ('[source]\npath = "C:\\data"\n', 2, 13, "paths have / or stand in single quotes"),
        (SOURCE + "header = True\n", 3, 10, "true and false are in small letters"),
        (SOURCE + SOURCE, 3, 8, "give every table and every key once"),
        (ZIP + "hierarchy = 3\n", 6, 14, "give every table and every key once"),
        (ZIP + "[suppression]\nlimit = 0,01\n", 7, 10, "numbers have a decimal point: 0.01"),
        (ZIP + "[suppression]\nlimit = 0,01  # a hundredth\n", 7, 10, "decimal point: 0.01"),
        (QI + "hierarchy = { intervals = [5], unit = 0,5 }\n", 3, 43, "decimal point: 0.5"),
        (SOURCE + "x = [1,", None, None, "see https://toml.io"),
    ],
)
def test_a_syntax_error_names_the_line(
    text: str, line: int | None, character: int | None, hint: str, tmp_path: Path
) -> None:
    error = refusal(tmp_path, text)
    assert error.code == "not-toml"
    assert (error.where.line, error.where.character) == (line, character)
    assert hint in str(error.remedy)


@pytest.mark.parametrize(
    ("text", "code", "table", "key", "found", "suggestion"),
    [
        # Tables and keys that do not exist.
        (
            ZIP + "[sorce]\n",
            "unknown-table",
            "[sorce]",
            None,
            "'sorce'",
            "source",
        ),
        (
            "objectives = ['k']\n" + ZIP,
            "unknown-key",
            None,
            "objectives",
            "'objectives'",
            None,
        ),
        (
            ZIP + "hierachy = 3\n",
            "unknown-key",
            "[columns.zip]",
            "hierachy",
            "'hierachy'",
            "hierarchy",
        ),
        (
            SOURCE + QI + "hierachy = { prefix = 5 }\n",
            "unknown-key",
            "[columns.zip]",
            "hierachy",
            "'hierachy'",
            "hierarchy",
        ),
        (
            ZIP + '[columns.zip.distant]\nrole = "sensitive"\n',
            "unknown-table",
            "[columns.zip]",
            "distant",
            "'distant'",
            '[columns."zip.distant"]',
        ),
        (
            ZIP + "[search]\nlimit = 3\n",
            "unknown-key",
            "[search]",
            "limit",
            "'limit'",
            None,
        ),
        (
            ZIP + "[search]\nMethod = 'auto'\n",
            "unknown-key",
            "[search]",
            "Method",
            "'Method'",
            "method",
        ),
        (
            ZIP + '[columns.a.b]\nrole = "sensitive"\n',
            "unknown-table",
            "[columns.a]",
            "b",
            "'b'",
            '[columns."a.b"]',
        ),
        (
            SOURCE + QI + "hierarchy = { intervals = [5], lowest = 3 }\n",
            "unknown-key",
            "[columns.zip]",
            "hierarchy lowest",
            "'lowest'",
            "low",
        ),
        # What must be there.
        (
            QI + "hierarchy = { flat = true }\n",
            "missing-setting",
            "[source]",
            "path",
            None,
            None,
        ),
        (SOURCE, "no-columns", "[columns]", None, None, None),
        (SOURCE + "[columns]\n", "no-columns", "[columns]", None, None, None),
        (
            SOURCE + "[columns.zip]\n",
            "missing-setting",
            "[columns.zip]",
            "role",
            None,
            None,
        ),
        (
            SOURCE + QI,
            "missing-setting",
            "[columns.zip]",
            "hierarchy",
            None,
            None,
        ),
        (
            SOURCE + '[columns.zip]\nrole = "sensitive"\n',
            "no-quasi-identifier",
            "[columns]",
            None,
            None,
            None,
        ),
        # Roles and what goes with them.
        (
            SOURCE + '[columns.zip]\nrole = "quasi_identifier"\n',
            "unknown-choice",
            "[columns.zip]",
            "role",
            '"quasi_identifier"',
            "quasi-identifying",
        ),
        (
            SOURCE + '[columns.zip]\nrole = "sensitive"\nhierarchy = "zip.csv"\n',
            "conflicting-settings",
            "[columns.zip]",
            "hierarchy",
            None,
            None,
        ),
        (
            SOURCE + '[columns.zip]\nrole = "insensitive"\nweight = 2\n',
            "conflicting-settings",
            "[columns.zip]",
            "weight",
            None,
            None,
        ),
        (
            ZIP + "distance = 'equal'\n",
            "conflicting-settings",
            "[columns.zip]",
            "distance",
            None,
            None,
        ),
        (
            ZIP + '[columns.x]\nrole = "identifying"\nlabel = true\n',
            "conflicting-settings",
            "[columns.x]",
            "label",
            None,
            None,
        ),
        # Values of the wrong kind.
        (
            ZIP.replace("{ prefix = 5 }", "5"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy",
            "5",
            None,
        ),
        (
            ZIP + "weight = '2'\n",
            "wrong-type",
            "[columns.zip]",
            "weight",
            '"2"',
            None,
        ),
        (
            ZIP + "weight = -1\n",
            "out-of-range",
            "[columns.zip]",
            "weight",
            "-1",
            None,
        ),
        (
            ZIP + "label = 'yes'\n",
            "wrong-type",
            "[columns.zip]",
            "label",
            '"yes"',
            None,
        ),
        (
            "[source]\npath = 3\n" + QI + "hierarchy = { flat = true }",
            "wrong-type",
            "[source]",
            "path",
            "3",
            None,
        ),
        (
            "[source]\npath = ''\n" + QI + "hierarchy = { flat = true }",
            "wrong-type",
            "[source]",
            "path",
            '""',
            None,
        ),
        (
            SOURCE + "[columns]\nzip = 'sensitive'\n",
            "wrong-type",
            "[columns.zip]",
            None,
            '"sensitive"',
            None,
        ),
        (
            "source = 'people.csv'\n" + QI + "hierarchy = { flat = true }\n",
            "wrong-type",
            "[source]",
            None,
            '"people.csv"',
            None,
        ),
        (
            "[[columns]]\nname = 'zip'\n" + SOURCE,
            "wrong-type",
            "[columns]",
            None,
            '[{ name = "zip" }]',
            None,
        ),
        # Sources.
        (
            ZIP.replace('path = "people.csv"', 'path = "people.xlsx"\ndelimiter = ";"'),
            "conflicting-settings",
            "[source]",
            "delimiter",
            None,
            None,
        ),
        (
            ZIP.replace('path = "people.csv"', 'path = "people.sav"\ntable = "people"'),
            "conflicting-settings",
            "[source]",
            "table",
            None,
            None,
        ),
        (
            ZIP.replace("people.csv", "people.db"),
            "no-table-named",
            "[source]",
            "path",
            None,
            None,
        ),
        (
            ZIP.replace('people.csv"', 'people.parquet"\ndelimiter = ";"'),
            "conflicting-settings",
            "[source]",
            "delimiter",
            None,
            None,
        ),
        (
            ZIP.replace('people.csv"', 'people.csv"\ntable = "t"'),
            "conflicting-settings",
            "[source]",
            "table",
            None,
            None,
        ),
        (
            ZIP.replace('people.csv"', 'people.csv"\ndelimiter = ";;"'),
            "not-a-delimiter",
            "[source]",
            None,
            "';;'",
            None,
        ),
        (
            ZIP.replace('people.csv"', 'people.csv"\nunlisted = "sensitive"'),
            "unknown-choice",
            "[source]",
            "unlisted",
            '"sensitive"',
            "insensitive",
        ),
        # Hierarchies.
        (
            ZIP.replace("prefix", "prefixes"),
            "not-a-hierarchy",
            "[columns.zip]",
            "hierarchy",
            None,
            "prefix",
        ),
        (
            ZIP.replace("prefix = 5", ""),
            "not-a-hierarchy",
            "[columns.zip]",
            "hierarchy",
            None,
            None,
        ),
        (
            ZIP.replace("prefix = 5", "prefix = 5, flat = true"),
            "not-a-hierarchy",
            "[columns.zip]",
            "hierarchy",
            None,
            None,
        ),
        (
            ZIP.replace("prefix = 5", "prefix = false"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy prefix",
            "false",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "prefix = 0"),
            "out-of-range",
            "[columns.zip]",
            "hierarchy prefix",
            "0",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "prefix = 5, keep = 3"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy keep",
            "3",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "intervals = [5, 12]"),
            "not-a-multiple",
            "[columns.zip]",
            "hierarchy intervals",
            "12",
            "10",
        ),
        (
            ZIP.replace("prefix = 5", "intervals = 5"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy intervals",
            "5",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "date = ['months']"),
            "unknown-choice",
            "[columns.zip]",
            "hierarchy date",
            "'months'",
            "month",
        ),
        (
            ZIP.replace("prefix = 5", "date = ['year', 'month']"),
            "wrong-order",
            "[columns.zip]",
            "hierarchy date",
            "'day', 'year', 'month'",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "date = ['year'], first = 1990"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy first",
            "1990",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "groups = { EU = ['DE'] }"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy groups",
            "a table with the keys 'EU'",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "groups = [{ N = ['A'], S = ['A'] }]"),
            "duplicate",
            "[columns.zip]",
            "hierarchy groups",
            "'A'",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "flat = [1, 2]"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy flat",
            "[1, 2]",
            None,
        ),
        (
            ZIP.replace("prefix = 5", "flat = 'yes'"),
            "wrong-type",
            "[columns.zip]",
            "hierarchy flat",
            '"yes"',
            None,
        ),
        (
            ZIP.replace("{ prefix = 5 }", "'zips.csv'"),
            "no-such-file",
            "[columns.zip]",
            "hierarchy",
            None,
            None,
        ),
        # Distances.
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = "order"\n',
            "wrong-type",
            "[columns.x]",
            "distance",
            '"order"',
            None,
        ),
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = { orderd = ["a"] }\n',
            "unknown-key",
            "[columns.x]",
            "distance orderd",
            "'orderd'",
            "ordered",
        ),
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = { hierarchy = 3 }\n',
            "wrong-type",
            "[columns.x]",
            "distance hierarchy",
            "3",
            None,
        ),
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = { ordered = ["a", "a"] }\n',
            "duplicate",
            "[columns.x]",
            "distance ordered",
            "'a'",
            None,
        ),
        # Missing values, suppression, search, release.
        (
            ZIP + "[missing]\npolicy = 'ignore'\n",
            "unknown-choice",
            "[missing]",
            "policy",
            '"ignore"',
            None,
        ),
        (
            ZIP + "[missing]\nmarkers = '?'\n",
            "wrong-type",
            "[missing]",
            "markers",
            '"?"',
            None,
        ),
        (ZIP + "[missing]\nlabel = ''\n", "not-a-text", "[missing]", "label", "''", None),
        (
            ZIP + "[suppression]\nlimit = 0.01\n",
            None,
            "[suppression]",
            None,
            None,
            None,
        ),
        (
            ZIP + "[suppression]\npolicy = 'limit'\nlimit = '1%'\n",
            "wrong-type",
            "[suppression]",
            "limit",
            '"1%"',
            None,
        ),
        (
            ZIP + "[suppression]\npolicy = 'limit'\nlimit = 1.5\n",
            None,
            "[suppression]",
            None,
            None,
            None,
        ),
        (
            ZIP + "[suppression]\npolicy = 'given-k'\nk = 2.5\n",
            "wrong-type",
            "[suppression]",
            "k",
            "2.5",
            None,
        ),
        (
            ZIP + "[suppression]\npolicy = 'given_k'\n",
            "unknown-choice",
            "[suppression]",
            "policy",
            '"given_k"',
            "given-k",
        ),
        (
            ZIP + "[search]\nobjectives = ['wieghted-k']\n",
            None,
            "[search]",
            "objectives",
            None,
            None,
        ),
        (
            ZIP + "[search]\nobjectives = []\n",
            "too-few",
            "[search]",
            "objectives",
            "[]",
            None,
        ),
        (
            ZIP + "[search]\nobjectives = 'k'\n",
            "wrong-type",
            "[search]",
            "objectives",
            '"k"',
            None,
        ),
        (
            ZIP + "[search]\nobjectives = ['k', 'loss', 'k']\n",
            "duplicate",
            "[search]",
            "objectives",
            "'k'",
            None,
        ),
        (
            ZIP + "[search]\nmethod = 'swep'\n",
            None,
            "[search]",
            None,
            None,
            None,
        ),
        (ZIP + "[search]\nseed = -1\n", None, "[search]", None, None, None),
        (
            ZIP + "[search]\nseed = true\n",
            "wrong-type",
            "[search]",
            "seed",
            "true",
            None,
        ),
        (
            ZIP + "[release]\nsuppressed = 'stars'\n",
            "unknown-choice",
            "[release]",
            "suppressed",
            '"stars"',
            "star",
        ),
    ],
)
def test_slips_are_named_with_their_place(
    text: str,
    code: str | None,
    table: str | None,
    key: str | None,
    found: str | None,
    suggestion: str | None,
    tmp_path: Path,
) -> None:
    error = refusal(tmp_path, text)
    # A hierarchy file has its own place; what the study file says about it led there.
    where = error.where.via or error.where
    has = (error.code, where.table, where.key, error.found, error.suggestion)
    asked = (code, table, key, found, suggestion)
    assert [a if b is not None else None for a, b in zip(has, asked, strict=True)] == list(asked)


def test_a_hierarchy_that_is_wrong_is_named_with_its_column(tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_text("a;x;*\nb;*\n")
    error = refusal(tmp_path, f'{SOURCE}{QI}hierarchy = "zip.csv"\n')
    assert isinstance(error, sf.HierarchyError)
    assert (error.where.file, error.where.line) == (str(tmp_path / "zip.csv"), 2)
    via = error.where.via
    assert via is not None
    assert (via.table, via.column, via.key) == ("[columns.zip]", "zip", "hierarchy")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with raises(sf.SettingsError, code="no-such-file", file=tmp_path / "none.toml"):
        read_study_file(tmp_path / "none.toml")
    with raises(sf.SettingsError, code="is-a-folder", file=tmp_path):
        read_study_file(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes('[source]\npath = "é.csv"\n'.encode("latin-1"))
    with raises(sf.SettingsError, code="wrong-encoding", file=path):
        read_study_file(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("people.csv", b"name;age\nAda;31\n"),
        ("people.csv", "näme;age\n".encode("latin-1")),
        ("people.csv", b"a = b;c\n"),
        ("people.parquet", b"PAR1\x15\x04\xff"),
        ("people.toml", b"name;age\nAda;31\n"),
    ],
)
def test_data_in_place_of_the_study(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with raises(sf.SettingsError, code="not-a-study-file", file=tmp_path / name):
        read_study_file(tmp_path / name)


def test_a_large_file_is_refused_without_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.study.file.toml_syntax.LARGEST_STUDY", 10)
    with raises(sf.SettingsError, code="not-a-study-file"):
        read_study_file(write(tmp_path, ZIP))


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "study-file.md"
    whole = page.read_text(encoding="utf-8")
    text = whole.split("```toml\n", 1)[1].split("```", 1)[0]
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "marital.csv").write_text("Single;*\nMarried;*\n")
    (tmp_path / "patients.csv").write_text(
        "name,age,zip,marital status,admitted,diagnosis,pain,readmitted\n"
        + 3 * "Ada,31,24126,Single,2023-05-01,flu,none,yes\n"
        + 3 * "Ben,35,24127,?,2023-05-02,cold,much,no\n"
    )
    read = read_study_file(write(tmp_path, text))
    assert read.study.lattice.heights == (4, 3, 1, 3)
    assert read.study.search().exact
    # The page names every table and every key.
    tables = {name: table.key_names() for name, table in tables_of(study_document()).items()}
    tables["search"] = SearchTable.key_names()
    tables["columns"] = tuple(key for table in COLUMN_TABLES.values() for key in table.key_names())
    for table, keys in tables.items():
        for key in keys:
            assert f"`{key}`" in whole or f"`[{table}] {key}`" in whole, (table, key)


def test_braces_over_several_lines_are_explained(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        '[columns.a]\nhierarchy = { groups = [\n  { "x" = ["1"],\n    "y" = ["2"] },\n] }\n'
    )
    with raises(sf.SettingsError, code="not-toml", file=path, line=3) as caught:
        read_study_file(path)
    assert "{ }" in str(caught.value.remedy)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = ZIP + "wieght = 2\n[search]\nlimit = 3\nseed = 1.5\n[[statements]]\nprotect = 3\n"
    error = refusal(tmp_path, text)
    assert error.code == "several-problems"
    assert [(each.code, each.where.table, each.where.key) for each in error.problems] == [
        ("unknown-key", "[columns.zip]", "wieght"),
        ("wrong-type", "[[statements]]", "protect"),
        ("wrong-type", "[search]", "seed"),
        ("unknown-key", "[search]", "limit"),
    ]
    assert {each.where.file for each in error.problems} == {str(tmp_path / "study.toml")}
    assert len(str(error).splitlines()) == 5
    assert [each["code"] for each in error.to_json()["problems"]] == [  # type: ignore[attr-defined]
        each.code for each in error.problems
    ]
    # What the keys mean is looked at when all of them can be read.
    text = ZIP.replace("5", "0") + "[search]\nobjectives = ['q']\n[missing]\nlabel = ''\n"
    error = refusal(tmp_path, text)
    assert [(each.where.table, each.where.key) for each in error.problems] == [
        ("[columns.zip]", "hierarchy prefix"),
        ("[search]", "objectives"),
        ("[missing]", "label"),
    ]


def test_a_misspelt_key_is_not_missing_too(tmp_path: Path) -> None:
    error = refusal(tmp_path, ZIP + "[[statements]]\nprotekt = 'x = 1'\n")
    assert (error.code, error.problems) == ("unknown-key", ())
    assert (error.where.key, error.suggestion) == ("protekt", "protect")


OLD = """
[source]
path = "people.csv"
[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10], granule = 5 }
floor = 1
[columns.illness]
role = "sensitive"
[[secrets]]
protect = 'illness = "flu"'
[engine]
most_combinations = 1000
"""


def test_keys_of_before_are_read_with_a_notice(tmp_path: Path) -> None:
    new = OLD.replace("granule", "unit").replace("floor", "minimum-level")
    new = new.replace("secrets", "statements").replace("most_combinations", "most-combinations")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = read_study_file(write(tmp_path, new)).study
    with pytest.warns(Notice) as caught:
        found = read_study_file(write(tmp_path, OLD)).study
    assert [str(each.message).partition(": ")[2] for each in caught] == [
        "the document 'secrets' is now called 'statements'; rename it",
        "[engine] 'most_combinations' is now called 'most-combinations'; rename it",
        "[columns.age] 'floor' is now called 'minimum-level'; rename it",
        "[columns.age] hierarchy 'granule' is now called 'unit'; rename it",
    ]
    assert found.attributes == expected.attributes
    assert found.statements == expected.statements
    assert found.most_combinations == expected.most_combinations == 1000


def test_an_old_and_a_new_key_are_not_mixed(tmp_path: Path) -> None:
    error = refusal(tmp_path, ZIP + "floor = 1\nminimum-level = 1\n")
    assert error.code == "conflicting-settings"
    assert (error.where.table, error.where.key) == ("[columns.zip]", "floor")


def test_the_command_line_shows_notices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path, PEOPLE + "[engine]\nmost_combinations = 100000\n")
    assert main(["evaluate", str(path), "--levels", "age=1,zip=2,sex=0", "--quiet"]) == 0
    told = capsys.readouterr().err
    assert "warning: " in told
    assert "'most_combinations' is now called 'most-combinations'" in told.replace("\n", " ")
