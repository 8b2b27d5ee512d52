"""The study file: what it says becomes a study, and every slip is named with its place."""

from __future__ import annotations

import warnings
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.study.people import ATTRIBUTES, people
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.errors.notice import Notice
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.study.file.column_table import COLUMN_TABLES
from sfumato.study.file.search_settings import SearchSettings
from sfumato.study.file.search_table import SearchTable
from sfumato.study.file.study_document import study_document, tables_of
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from collections.abc import Sequence


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    """Return the message with which a study file is refused, without the folder."""
    with pytest.raises(sf.SfumatoError) as caught:
        read_study_file(write(folder, text))
    message = str(caught.value)
    assert message.startswith(str(folder)), "an error names the file"
    return message.replace(f"{folder}/", "")


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


def test_what_is_not_said_is_usual(tmp_path: Path) -> None:
    read = read_study_file(write_people(tmp_path))
    assert list(map(str, read.study.objectives)) == ["k", "loss"]
    assert read.study.suppression == sf.NO_SUPPRESSION
    assert read.study.missing == sf.MissingValues()
    assert not read.study.unlisted_insensitive
    assert (read.search, read.suppressed_rows) == (SearchSettings(method="auto", seed=1), "drop")


def test_reading_does_not_read_the_data(tmp_path: Path) -> None:
    study = read_study_file(write(tmp_path, ZIP)).study
    with pytest.raises(sf.SourceError, match=r"there is no file .*people\.csv"):
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
    with pytest.raises(sf.SourceError) as caught:
        read_study_file(path).study.search()
    message = str(caught.value)
    assert "does not list: 'name'; give each a role" in message
    assert f'write unlisted = "insensitive" under [source] of {path}' in message
    assert "unlisted_insensitive" not in message
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
    ("text", "line", "hint"),
    [
        ("[source]\npath = people.csv\n", 2, 'texts stand in quotes: path = "people.csv"'),
        ("[columns.marital status]\n", 1, "a name with blanks or dots stands in quotes"),
        ('[source]\npath = "C:\\data"\n', 2, "write paths with / or in single quotes"),
        (SOURCE + "header = True\n", 3, "write true or false in small letters"),
        (SOURCE + SOURCE, 3, "give every table and every key once"),
        (ZIP + "hierarchy = 3\n", 6, "give every table and every key once"),
        (ZIP + "[suppression]\nlimit = 0,01\n", 7, "numbers have a decimal point: 0.01"),
        (ZIP + "[suppression]\nlimit = 0,01  # a hundredth\n", 7, "decimal point: 0.01"),
        (QI + "hierarchy = { intervals = [5], unit = 0,5 }\n", 3, "decimal point: 0.5"),
        (SOURCE + "x = [1,", None, "see https://toml.io"),
    ],
)
def test_a_syntax_error_names_the_line(
    text: str, line: int | None, hint: str, tmp_path: Path
) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith(f"study.toml, line {line}, " if line else "study.toml, at its end: ")
    assert "this is not TOML" in message
    assert hint in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # Tables and keys that do not exist.
        (
            ZIP + "[sorce]\n",
            "a study has no table [sorce] (did you mean 'source'?); its tables are "
            "[source], [columns], [missing]",
        ),
        (
            "objectives = ['k']\n" + ZIP,
            "a study has no key 'objectives' at the top; it belongs under [search]",
        ),
        (
            ZIP + "hierachy = 3\n",
            "[columns.zip] has no key 'hierachy' (did you mean 'hierarchy'?); "
            "its keys are role, hierarchy",
        ),
        (
            SOURCE + QI + "hierachy = { prefix = 5 }\n",
            "[columns.zip] has no key 'hierachy' (did you mean 'hierarchy'?); "
            "its keys are role, hierarchy",
        ),
        (
            ZIP + '[columns.zip.distant]\nrole = "sensitive"\n',
            "[columns.zip] has no table 'distant'; if the column is called zip.distant, write",
        ),
        (
            ZIP + "[search]\nlimit = 3\n",
            "[search] has no key 'limit'; it belongs under [suppression]; its keys are method",
        ),
        (
            ZIP + "[search]\nMethod = 'auto'\n",
            "[search] has no key 'Method' (did you mean 'method'?)",
        ),
        (
            ZIP + '[columns.a.b]\nrole = "sensitive"\n',
            "[columns.a] has no table 'b'; if the column is called a.b, write [columns.\"a.b\"]",
        ),
        (
            SOURCE + QI + "hierarchy = { intervals = [5], lowest = 3 }\n",
            "[columns.zip] hierarchy "
            "has no key 'lowest' (did you mean 'low'?); its keys are intervals, unit, low, high",
        ),
        # What must be there.
        (
            QI + "hierarchy = { flat = true }\n",
            "[source] path: it is missing; it says where the rows are",
        ),
        (SOURCE, "the study lists no columns; each has a table with its role"),
        (SOURCE + "[columns]\n", "the study lists no columns"),
        (
            SOURCE + "[columns.zip]\n",
            "[columns.zip] role is missing; choose one of identifying, quasi",
        ),
        (
            SOURCE + QI,
            "[columns.zip] hierarchy: it is missing, and the column is quasi-identifying; say how "
            'its values become coarser: hierarchy = "age.csv", { intervals = [5, 10, 20] }',
        ),
        (
            SOURCE + '[columns.zip]\nrole = "sensitive"\n',
            "[columns]: no column is quasi-identifying",
        ),
        # Roles and what goes with them.
        (
            SOURCE + '[columns.zip]\nrole = "quasi_identifier"\n',
            "[columns.zip] role is "
            '"quasi_identifier"; choose one of identifying, quasi-identifying, sensitive, '
            "insensitive (did you mean 'quasi-identifying'?)",
        ),
        (
            SOURCE + '[columns.zip]\nrole = "sensitive"\nhierarchy = "zip.csv"\n',
            "[columns.zip] "
            "hierarchy: the column is sensitive, and only quasi-identifying columns have this key",
        ),
        (
            SOURCE + '[columns.zip]\nrole = "insensitive"\nweight = 2\n',
            "[columns.zip] weight: the "
            "column is insensitive, and only quasi-identifying columns have this key",
        ),
        (
            ZIP + "distance = 'equal'\n",
            "[columns.zip] distance: the column is quasi-identifying, "
            "and only sensitive columns have this key",
        ),
        (
            ZIP + '[columns.x]\nrole = "identifying"\nlabel = true\n',
            "[columns.x] label: the column is identifying, and only quasi-identifying",
        ),
        # Values of the wrong kind.
        (
            ZIP.replace("{ prefix = 5 }", "5"),
            '[columns.zip] hierarchy is 5; it must be "age.csv", {',
        ),
        (
            ZIP + "weight = '2'\n",
            '[columns.zip] weight is "2"; it must be a number, such as weight = 1.0',
        ),
        (
            ZIP + "weight = -1\n",
            "weight is -1; it must be a ",
        ),
        (
            ZIP + "label = 'yes'\n",
            '[columns.zip] label is "yes"; it must be true or false',
        ),
        (
            "[source]\npath = 3\n" + QI + "hierarchy = { flat = true }",
            '[source] path is 3; it must be a text in quotes, such as path = "patients.csv"',
        ),
        (
            "[source]\npath = ''\n" + QI + "hierarchy = { flat = true }",
            '[source] path is ""; it must be',
        ),
        (
            SOURCE + "[columns]\nzip = 'sensitive'\n",
            '[columns.zip] is "sensitive"; it must be a table with a role',
        ),
        ("source = 'people.csv'\n" + QI, '[source] is "people.csv"; it must be a table with the k'),
        ("[[columns]]\nname = 'zip'\n" + SOURCE, "it must be a table with a table for each column"),
        # Sources.
        (
            ZIP.replace("people.csv", "people.xlsx"),
            "[source] path: 'people.xlsx' is a spreadsheet; export it as CSV, and name that file",
        ),
        (
            ZIP.replace("people.csv", "people.sav"),
            "[source] path: the ending of 'people.sav' "
            "tells nothing about its format; use one of .csv",
        ),
        (
            ZIP.replace("people.csv", "people.db"),
            "[source] path: 'people.db' is a database; "
            'add the table of it to read, such as table = "patients"',
        ),
        (
            ZIP.replace('people.csv"', 'people.parquet"\ndelimiter = ";"'),
            "[source] delimiter: it is "
            "about text files, and 'people.parquet' is a Parquet file; leave it out",
        ),
        (
            ZIP.replace('people.csv"', 'people.csv"\ntable = "t"'),
            "[source] table: it is the table "
            "of a DuckDB database, and 'people.csv' is read as another kind of file",
        ),
        (
            ZIP.replace('people.csv"', 'people.csv"\ndelimiter = ";;"'),
            "delimiter is ';;'; it must be a single character",
        ),
        (
            ZIP.replace('people.csv"', 'people.csv"\nunlisted = "sensitive"'),
            '[source] unlisted is "sensitive"; choose one of insensitive (did you mean',
        ),
        # Hierarchies.
        (
            ZIP.replace("prefix", "prefixes"),
            "[columns.zip] hierarchy: nothing says what kind of "
            "hierarchy it is ('prefixes' does not) (did you mean 'prefix'?); it must be",
        ),
        (ZIP.replace("prefix = 5", ""), "[columns.zip] hierarchy: the table is empty; it must be"),
        (
            ZIP.replace("prefix = 5", "prefix = 5, flat = true"),
            "[columns.zip] hierarchy: a hierarchy is one of prefix and flat, not both",
        ),
        (
            ZIP.replace("prefix = 5", "prefix = false"),
            "[columns.zip] hierarchy prefix is false; "
            "it must be the length of the codes, or true for codes of any length, such as prefix",
        ),
        (ZIP.replace("prefix = 5", "prefix = 0"), "length is 0; it must be at least 1"),
        (
            ZIP.replace("prefix = 5", "prefix = 5, keep = 3"),
            "[columns.zip] hierarchy keep is 3; "
            "it must be a list of whole numbers, such as keep = [3, 1]",
        ),
        (
            ZIP.replace("prefix = 5", "intervals = [5, 12]"),
            "the width 12 is not a larger multiple of the width before, 5 (did you mean '10'?)",
        ),
        (
            ZIP.replace("prefix = 5", "intervals = 5"),
            "[columns.zip] hierarchy intervals is 5; it must be "
            "a list of numbers, such as intervals = [5, 10, 20]",
        ),
        (
            ZIP.replace("prefix = 5", "date = ['months']"),
            "[columns.zip] hierarchy date: it lists "
            "'months' (did you mean 'month'?); choose among day, month, quarter, year, decade",
        ),
        (
            ZIP.replace("prefix = 5", "date = ['year', 'month']"),
            "it must be from fine to coarse",
        ),
        (
            ZIP.replace("prefix = 5", "date = ['year'], first = 1990"),
            "[columns.zip] hierarchy first is 1990; it must be a date, such as first = 1998-03-14",
        ),
        (
            ZIP.replace("prefix = 5", "groups = { EU = ['DE'] }"),
            "[columns.zip] hierarchy groups is "
            "a table with the keys 'EU'; it must be a list with a table of labels",
        ),
        (
            ZIP.replace("prefix = 5", "groups = [{ N = ['A'], S = ['A'] }]"),
            "level 1 has 1 member in more than one group: 'A'",
        ),
        (
            ZIP.replace("prefix = 5", "flat = [1, 2]"),
            "[columns.zip] hierarchy flat is [1, 2]; it must be "
            'true, or a list of texts, such as flat = ["Male", "Female"]',
        ),
        (
            ZIP.replace("prefix = 5", "flat = 'yes'"),
            '[columns.zip] hierarchy flat is "yes"; it must be true, or a list',
        ),
        (
            ZIP.replace("{ prefix = 5 }", "'zips.csv'"),
            "[columns.zip] hierarchy: zips.csv: there is no such file",
        ),
        # Distances.
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = "order"\n',
            '[columns.x] distance is "order"; it must be "equal", "ordered", { ordered = ',
        ),
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = { orderd = ["a"] }\n',
            "[columns.x] distance has no key 'orderd' (did you mean 'ordered'?)",
        ),
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = { hierarchy = 3 }\n',
            "[columns.x] distance hierarchy is 3; it must be the path of a hierarchy file",
        ),
        (
            ZIP + '[columns.x]\nrole = "sensitive"\ndistance = { ordered = ["a", "a"] }\n',
            "[columns.x] distance: the order has 'a' more than once",
        ),
        # Missing values, suppression, search, release.
        (
            ZIP + "[missing]\npolicy = 'ignore'\n",
            '[missing] policy is "ignore"; choose one of category, error, drop',
        ),
        (
            ZIP + "[missing]\nmarkers = '?'\n",
            '[missing] markers is "?"; it must be a list of texts, such as markers = ["?"]',
        ),
        (ZIP + "[missing]\nlabel = ''\n", "[missing]: the label of missing values is ''"),
        (
            ZIP + "[suppression]\nlimit = 0.01\n",
            "[suppression]: suppression policy 'none' takes no limit, got 0.01; set policy='limit'",
        ),
        (
            ZIP + "[suppression]\npolicy = 'limit'\nlimit = '1%'\n",
            '[suppression] limit is "1%"; it must be a number, such as limit = 0.01',
        ),
        (
            ZIP + "[suppression]\npolicy = 'limit'\nlimit = 1.5\n",
            "[suppression]: the suppression limit is 1.5; as a fraction it must be at most 1.0",
        ),
        (
            ZIP + "[suppression]\npolicy = 'given-k'\nk = 2.5\n",
            "[suppression] k is 2.5; it must be a whole number, such as k = 5",
        ),
        (
            ZIP + "[suppression]\npolicy = 'given_k'\n",
            '[suppression] policy is "given_k"; choose one '
            "of none, limit, given-k, below-weighted-k (did you mean 'given-k'?)",
        ),
        (
            ZIP + "[search]\nobjectives = ['wieghted-k']\n",
            "[search] objectives: there is no measure 'wieghted-k'; did you mean 'weighted-k'?",
        ),
        (
            ZIP + "[search]\nobjectives = []\n",
            "[search] objectives: the list is empty; name measures",
        ),
        (
            ZIP + "[search]\nobjectives = 'k'\n",
            '[search] objectives is "k"; it must be a list of texts, such as objectives',
        ),
        (
            ZIP + "[search]\nobjectives = ['k', 'loss', 'k']\n",
            "[search] objectives: 'k' is given more than once",
        ),
        (
            ZIP + "[search]\nmethod = 'swep'\n",
            "[search]: there is no search method 'swep'; did you mean 'sweep'?",
        ),
        (ZIP + "[search]\nseed = -1\n", "[search]: seed is -1; use a whole number from 0 up"),
        (
            ZIP + "[search]\nseed = true\n",
            "[search] seed is true; it must be a whole number, such as ",
        ),
        (
            ZIP + "[release]\nsuppressed = 'stars'\n",
            "[release] suppressed is \"stars\"; choose one of drop, star (did you mean 'star'?)",
        ),
    ],
)
def test_slips_are_named_with_their_place(text: str, said: str, tmp_path: Path) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith("study.toml: ")
    assert message.count("study.toml") == 1
    assert said in message


def test_a_hierarchy_that_is_wrong_is_named_with_its_column(tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_text("a;x;*\nb;*\n")
    message = refusal(tmp_path, f'{SOURCE}{QI}hierarchy = "zip.csv"\n')
    assert message.startswith("study.toml: [columns.zip] hierarchy: zip.csv, line 2: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(
        sf.SettingsError, match=r"there is no study file .*none\.toml; 'sfumato init"
    ):
        read_study_file(tmp_path / "none.toml")
    with pytest.raises(sf.SettingsError, match="is a folder; give the study file in it"):
        read_study_file(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes('[source]\npath = "é.csv"\n'.encode("latin-1"))
    with pytest.raises(sf.SettingsError, match="is not utf-8, which TOML must be"):
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
    with pytest.raises(sf.SettingsError) as caught:
        read_study_file(tmp_path / name)
    assert f"{name} is not a study file: it is not written in TOML" in str(caught.value)
    assert "give the study file; 'sfumato init DATA' makes one" in str(caught.value)


def test_a_large_file_is_not_read_to_see_that_it_is_no_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.study.file.toml_syntax.LARGEST_STUDY", 10)
    with pytest.raises(sf.SettingsError, match="is not a study file"):
        read_study_file(write(tmp_path, ZIP))


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "study-file.md"
    whole = page.read_text(encoding="utf-8")
    text = whole.split("```toml\n", 1)[1].split("```", 1)[0]
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "marital.csv").write_text("Single;*\nMarried;*\n")
    (tmp_path / "patients.csv").write_text(
        "name,age,zip,marital status,admitted,diagnosis,pain,readmitted\n"
        "Ada,31,24126,Single,2023-05-01,flu,none,yes\n"
        "Ben,35,24127,?,2023-05-02,cold,much,no\n"
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
    with pytest.raises(sf.SettingsError, match=r"line 3.*what stands in \{ \} stands on one line"):
        read_study_file(path)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = ZIP + "wieght = 2\n[search]\nlimit = 3\nseed = 1.5\n[[statements]]\nprotect = 3\n"
    message = refusal(tmp_path, text)
    assert message.startswith("study.toml: 4 problems:\n- ")
    for said in ("'wieght' (did you mean 'weight'?)", "under [suppression]", "seed is 1.5", "is 3"):
        assert message.count(said) == 1
    # What the keys mean is looked at when all of them can be read.
    text = ZIP.replace("5", "0") + "[search]\nobjectives = ['q']\n[missing]\nlabel = ''\n"
    message = refusal(tmp_path, text)
    assert message.startswith("study.toml: 3 problems:\n- [columns.zip] hierarchy: length is 0")
    assert "\n- [search] objectives: there is no measure 'q'" in message
    assert "\n- [missing]: the label of missing values" in message


def test_a_misspelt_key_is_not_missing_too(tmp_path: Path) -> None:
    message = refusal(tmp_path, ZIP + "[[statements]]\nprotekt = 'x = 1'\n")
    assert "problems" not in message
    assert "[[statements]] has no key 'protekt' (did you mean 'protect'?)" in message


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
    message = refusal(tmp_path, ZIP + "floor = 1\nminimum-level = 1\n")
    assert "[columns.zip] has 'floor' and 'minimum-level'" in message


def test_the_command_line_shows_notices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_people(tmp_path, PEOPLE + "[engine]\nmost_combinations = 100000\n")
    assert main(["evaluate", str(path), "--levels", "age=1,zip=2,sex=0", "--quiet"]) == 0
    told = capsys.readouterr().err
    assert "warning: " in told
    assert "'most_combinations' is now called 'most-combinations'" in told.replace("\n", " ")
