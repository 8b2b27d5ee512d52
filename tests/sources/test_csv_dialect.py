from __future__ import annotations

import codecs
import gzip
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.microdata.counted_rows import Row, counted_rows
from tests.raised import raises
from tests.slow_variants import slow

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SourceError
from sfumato.sources.csv_dialect import ENCODINGS, csv_dialect
from sfumato.sources.source import CsvFile

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "Kunigunde-9173"
"""A value that no error message may repeat."""


def written(folder: Path, text: str | bytes, name: str = "people.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(source: CsvFile) -> SourceError:
    with pytest.raises(SourceError) as caught:
        counted_rows(source)
    assert source.path.name in str(caught.value)
    assert CANARY not in str(caught.value) + repr(vars(caught.value))
    return caught.value


def complaint(source: CsvFile) -> str:
    return str(refused(source))


@pytest.mark.parametrize(
    ("delimiter", "quote", "newline"),
    [
        # All of each kind, and in the slow part all of them together.
        pytest.param(d, q, n, marks=() if (d, q) == (",", '"') or n == "\n" else pytest.mark.slow)
        for d in (",", ";", "\t", "|")
        for q in ('"', "'")
        for n in ("\n", "\r\n", "\r")
    ],
)
def test_delimiter_and_quote_are_found(
    tmp_path: Path, delimiter: str, quote: str, newline: str
) -> None:
    q, d = quote, delimiter
    lines = [
        f"{q}name{q}{d}town",
        f"{q}Doe{d} Jane{q}{d}New York",
        f"{q}say {q}{q}hi{q}{q}{q}{d}b",
        f"{q}it{q}{q}s{q}{d}{q}two{newline}lines{q}",
    ]
    path = written(tmp_path, newline.join(lines) + newline)
    dialect = csv_dialect(CsvFile(path=path))
    assert (dialect.delimiter, dialect.quote, dialect.header) == (delimiter, quote, True)
    assert dialect.columns == ("name", "town")
    assert counted_rows(path) == Counter(
        {
            (f"Doe{d} Jane", "New York"): 1,
            (f"say {q}hi{q}", "b"): 1,
            (f"it{q}s", f"two{newline}lines"): 1,
        }
    )


def test_text_stays_as_it_is_written(tmp_path: Path) -> None:
    path = written(tmp_path, "zip,code,note\n01234,1e5, padded \n01234,1E5,NULL\n1234,1e5,nan\n")
    assert counted_rows(path) == Counter(
        {("01234", "1e5", " padded "): 1, ("01234", "1E5", "NULL"): 1, ("1234", "1e5", "nan"): 1}
    )


def test_empty_fields_are_missing_quoted_or_not(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n,x\n"",x\n" ",x\n')
    assert counted_rows(path) == Counter({(None, "x"): 2, (" ", "x"): 1})


def test_column_names_are_taken_literally(tmp_path: Path) -> None:
    header = '"marital status","a.b","say ""hi""","x;y",Größe,Age,age,"two\nlines",name; drop'
    path = written(tmp_path, f"{header}\n1,2,3,4,5,6,7,8,9\n")
    assert DuckDBEngine().columns(CsvFile(path=path)) == (
        "marital status",
        "a.b",
        'say "hi"',
        "x;y",
        "Größe",
        "Age",
        "age",
        "two\nlines",
        "name; drop",
    )
    assert counted_rows(path, ["age", "Age", 'say "hi"']) == Counter({("7", "6", "3"): 1})


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("name,town\nJürgen,Malmö\n".encode(), "utf-8"),
        (codecs.BOM_UTF8 + "name,town\nJürgen,Malmö\n".encode(), "utf-8"),
        ("name,town\nJürgen,Malmö\n".encode("latin-1"), "latin-1"),
        ("name,town\nJürgen,Malmö\n".encode("utf-16"), "utf-16"),
    ],
    ids=["utf-8", "utf-8 with BOM", "latin-1", "utf-16"],
)
@pytest.mark.parametrize("compressed", [False, True])
def test_encoding_is_found(tmp_path: Path, content: bytes, encoding: str, compressed: bool) -> None:
    path = tmp_path / ("people.csv.gz" if compressed else "people.csv")
    path.write_bytes(gzip.compress(content) if compressed else content)
    dialect = csv_dialect(CsvFile(path=path))
    assert (dialect.encoding, dialect.columns) == (encoding, ("name", "town"))
    assert counted_rows(path) == Counter({("Jürgen", "Malmö"): 1})


@pytest.mark.parametrize(
    ("said", "read_as"),
    [("UTF8", "utf-8"), ("ascii", "utf-8"), ("ISO-8859-1", "latin-1"), ("utf_16_le", "utf-16")],
)
def test_encodings_have_many_names(tmp_path: Path, said: str, read_as: str) -> None:
    path = written(tmp_path, "a,b\nx,y\n".encode(said))
    assert csv_dialect(CsvFile(path=path, encoding=said)).encoding == read_as
    assert counted_rows(CsvFile(path=path, encoding=said)) == Counter({("x", "y"): 1})


@pytest.mark.parametrize("encoding", ["cp1252", "shift-jis", "no such"])
def test_other_encodings_say_what_works(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "a,b\nx,y\n")
    with raises(
        SourceError,
        code="unknown-choice",
        file=path,
        key="encoding",
        found=repr(encoding),
        expected=ENCODINGS,
    ):
        csv_dialect(CsvFile(path=path, encoding=encoding))


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF16_BE + "a,b\nx,y\n".encode("utf-16-be"),
        "a,b\nx,y\n".encode("utf-16-be"),
        "a,b\nx,😀\n".encode("utf-16"),
    ],
    ids=["high byte first", "high byte first, no BOM", "beyond the basic plane"],
)
def test_utf_16_that_duckdb_cannot_read_is_no_empty_table(tmp_path: Path, content: bytes) -> None:
    source = CsvFile(path=written(tmp_path, content), encoding="utf-16")
    assert "convert the file to utf-8" in complaint(source)


def test_windows_quotes_are_not_taken_for_latin_1(tmp_path: Path) -> None:
    source = CsvFile(path=written(tmp_path, "a,b\n“x”,€\n".encode("cp1252")))
    assert "not all latin-1" in complaint(source)
    assert "convert the file to utf-8" in complaint(source)


@pytest.mark.parametrize(
    ("text", "header", "columns", "rows"),
    [
        ("name,age\nAnn,30\n", True, ("name", "age"), {("Ann", "30"): 1}),
        ("Ann,30\nBob,31\n", False, ("column1", "column2"), {("Ann", "30"): 1, ("Bob", "31"): 1}),
        ("Ann,F\nEve,F\n", False, ("column1", "column2"), {("Ann", "F"): 1, ("Eve", "F"): 1}),
        ("x,x\nx,y\n", False, ("column1", "column2"), {("x", "x"): 1, ("x", "y"): 1}),
        (",age\n0,30\n1,30\n", True, ("column1", "age"), {("0", "30"): 1, ("1", "30"): 1}),
        ("name,age,\nAnn,30,\n", True, ("name", "age", "column3"), {("Ann", "30", None): 1}),
        ("name\nAnn\nAnn\n", True, ("name",), {("Ann",): 2}),
        ("7\n7\n8\n", False, ("column1",), {("7",): 2, ("8",): 1}),
    ],
    ids=[
        "names",
        "a number",
        "a value that comes again",
        "twice the same",
        "pandas index",
        "delimiter at the end",
        "one column",
        "one column of numbers",
    ],
)
def test_header_is_found(
    tmp_path: Path, text: str, header: bool, columns: tuple[str, ...], rows: dict[Row, int]
) -> None:
    path = written(tmp_path, text)
    dialect = csv_dialect(CsvFile(path=path))
    assert (dialect.header, dialect.columns) == (header, columns)
    assert counted_rows(path) == Counter(rows)


def test_what_is_said_overrides_what_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, "2019,2020\nx;y,z\n")
    assert counted_rows(CsvFile(path=path, header=True), ["2020"]) == Counter({("z",): 1})
    assert counted_rows(CsvFile(path=path, header=False)) == Counter(
        {("2019", "2020"): 1, ("x;y", "z"): 1}
    )
    named = written(tmp_path, "name\tage\nAnn, B.\t30\n", "tab.csv")
    assert counted_rows(CsvFile(path=named, delimiter="\t", header=False)) == Counter(
        {("name", "age"): 1, ("Ann, B.", "30"): 1}
    )
    odd = written(tmp_path, "name§age\n%Ann§B%§30\n", "odd.csv")
    assert counted_rows(CsvFile(path=odd, delimiter="§", quote="%")) == Counter(
        {("Ann§B", "30"): 1}
    )


def test_nothing_is_quoted_if_so_said(tmp_path: Path) -> None:
    path = written(tmp_path, 'name,size\n"Big" Joe,6"\n')
    assert counted_rows(CsvFile(path=path, quote="")) == Counter({('"Big" Joe', '6"'): 1})
    assert "quote=''" in complaint(CsvFile(path=path))


def test_quotes_inside_a_field_and_apostrophes_are_no_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, "name,size\nO'Hara,6\" pipe\n'n' roll,5' 3\"\nHans',7\n")
    assert csv_dialect(CsvFile(path=path)).quote == '"'
    assert counted_rows(path) == Counter(
        {("O'Hara", '6" pipe'): 1, ("'n' roll", "5' 3\""): 1, ("Hans'", "7"): 1}
    )


def test_decimal_commas_do_not_hide_the_semicolon(tmp_path: Path) -> None:
    path = written(tmp_path, "name;height\nAnn;1,62\nBob;1,80\n")
    assert counted_rows(path) == Counter({("Ann", "1,62"): 1, ("Bob", "1,80"): 1})


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_blank_lines_are_no_rows(tmp_path: Path, newline: str) -> None:
    lines = ["", "", "name,age", "Ann,30", "", "Bob,31", "", ""]
    path = written(tmp_path, newline.join(lines))
    assert csv_dialect(CsvFile(path=path)).columns == ("name", "age")
    assert counted_rows(path) == Counter({("Ann", "30"): 1, ("Bob", "31"): 1})


def test_blank_lines_are_no_rows_of_a_single_column(tmp_path: Path) -> None:
    path = written(tmp_path, '\nname\nAnn\n\n""\nBob\n\n\n')
    assert counted_rows(path) == Counter({("Ann",): 1, ("Bob",): 1, (None,): 1})


@pytest.mark.parametrize("content", [b"", b"\n\n", codecs.BOM_UTF8, b"\xff\xfe", b" \n"])
def test_empty_files_are_refused(tmp_path: Path, content: bytes) -> None:
    source = CsvFile(path=written(tmp_path, content))
    assert refused(source).code == "empty-file"
    packed = CsvFile(path=written(tmp_path, gzip.compress(content), "people.csv.gz"))
    assert refused(packed).code == "empty-file"


def test_header_without_rows_counts_nothing(tmp_path: Path) -> None:
    for text in ("name,age", "name,age\n"):
        assert counted_rows(written(tmp_path, text)) == Counter()


def test_one_row(tmp_path: Path) -> None:
    assert counted_rows(written(tmp_path, "name,age\nAnn,30")) == Counter({("Ann", "30"): 1})


def test_missing_file_and_folder(tmp_path: Path) -> None:
    assert refused(CsvFile(path=tmp_path / "none.csv")).code == "no-such-file"
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert "folder" in complaint(CsvFile(path=folder))


@pytest.mark.parametrize(
    "content",
    [b"no gzip at all", gzip.compress(b"a,b\n1,2\n" * 99)[:-9]],
    ids=["no gzip", "cut short"],
)
def test_broken_gzip(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content, "people.csv.gz")
    assert refused(CsvFile(path=path)).code == "broken-gzip"


@pytest.mark.parametrize(
    ("row", "fields"),
    [(f"{CANARY},2,3", "3 fields"), (CANARY, "1 field "), (f"{CANARY} unicode,2,3", "3 fields")],
    ids=["long", "short", "words of other errors"],
)
@pytest.mark.parametrize("before", [1, 100_000])
def test_ragged_rows_are_named_by_line(tmp_path: Path, row: str, fields: str, before: int) -> None:
    path = written(tmp_path, "a,b\n" + "1,2\n" * before + row + "\n" + "3,4\n" * 5)
    message = complaint(CsvFile(path=path))
    assert f"line {before + 2:,}: " in message
    assert "line breaks in quotes are not counted" in message
    assert f"the row has {fields}" in message
    assert "the first line has 2" in message


@pytest.mark.parametrize("before", [1, 100_000])
def test_a_quote_that_is_not_closed(tmp_path: Path, before: int) -> None:
    path = written(tmp_path, "a,b\n" + "1,2\n" * before + f'"{CANARY},2\n{CANARY},4\n')
    message = complaint(CsvFile(path=path))
    assert f"line {before + 2:,}" in message
    assert "close the quotes" in message


def test_an_endless_line(tmp_path: Path) -> None:
    path = written(tmp_path, f"a,b\n{CANARY}," + "x" * 3_000_000)
    assert "line 2" in complaint(CsvFile(path=path))
    assert "the line is longer than 2,000,000 bytes" in complaint(CsvFile(path=path))


def test_line_endings_that_differ(tmp_path: Path) -> None:
    source = CsvFile(path=written(tmp_path, f"a,b\r\n{CANARY},2\n3,4\r\n"))
    assert "lines end in different ways" in complaint(source)


def test_bytes_outside_the_encoding_deep_inside(tmp_path: Path) -> None:
    content = b"a,b\n" + b"1,2\n" * 500_000 + f"{CANARY},Jürgen\n".encode("latin-1")
    path = written(tmp_path, content)
    message = complaint(CsvFile(path=path))
    assert "line 500,002" in message
    assert "encoding='latin-1'" in message
    assert counted_rows(CsvFile(path=path, encoding="latin-1")) == Counter(
        {("1", "2"): 500_000, (CANARY, "Jürgen"): 1}
    )


def test_bytes_outside_the_encoding_where_nobody_looks(tmp_path: Path) -> None:
    content = b"a,b\n" + b"1,2\n" * 500_000 + "Jürgen,3\n".encode("latin-1")
    assert counted_rows(written(tmp_path, content), ["b"]) == Counter({("2",): 500_000, ("3",): 1})


def test_a_character_at_the_end_of_the_sample(tmp_path: Path) -> None:
    # The first mebibyte ends inside the two bytes of "ü".
    start = "a,b\n"
    filler = "x" * ((1 << 20) - len(start) - 1)
    path = written(tmp_path, f"{start}{filler}ü,2\n")
    assert csv_dialect(CsvFile(path=path)).encoding == "utf-8"
    assert counted_rows(path) == Counter({(f"{filler}ü", "2"): 1})


def test_quotes_that_come_late(tmp_path: Path) -> None:
    rows = "1,2\n" * 300_000
    path = written(tmp_path, f'a,b\n{rows}"x,\ny",3\n{rows}"say ""hi""",4\n')
    assert counted_rows(path) == Counter(
        {("1", "2"): 600_000, ("x,\ny", "3"): 1, ('say "hi"', "4"): 1}
    )


@pytest.mark.parametrize("encoding", ["utf-8", slow("latin-1"), slow("utf-16")])
def test_many_rows_with_line_breaks_inside(tmp_path: Path, encoding: str) -> None:
    text = "a,b\n" + "".join(f'"é,\n{n % 7}",{n % 3}\n' for n in range(300_000))
    expected = Counter((f"é,\n{n % 7}", f"{n % 3}") for n in range(300_000))
    path = written(tmp_path, text.encode(encoding))
    assert counted_rows(path) == expected


def test_fields_longer_than_python_reads(tmp_path: Path) -> None:
    long = "x" * 200_000
    assert counted_rows(written(tmp_path, f"a,b\n1,{long}\n")) == Counter({("1", long): 1})
    error = refused(CsvFile(path=written(tmp_path, f"{long}\n1\n")))
    assert (error.code, error.where.key) == ("unknown-dialect", "delimiter")


def test_names_that_come_twice(tmp_path: Path) -> None:
    source = CsvFile(path=written(tmp_path, "age,age\n1,2\n"), header=True)
    error = refused(source)
    assert (error.code, error.where.column) == ("duplicate", "age")


@pytest.mark.parametrize(
    "text",
    ["name,age,name\nAnn,39,x\nBob,40,y\n", "name;name\nAnn;Bob\n", "a,,b,,a\nx,1,y,2,z\n"],
)
def test_a_header_with_a_name_that_comes_twice_is_not_a_row(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with raises(SourceError, code="duplicate", file=path):
        csv_dialect(CsvFile(path=path))
    # Whoever says that it is a row has looked at it.
    assert csv_dialect(CsvFile(path=path, header=False)).header is False


@pytest.mark.parametrize("own", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("inside", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_names_may_hold_other_line_breaks_than_the_file(
    own: str, inside: str, encoding: str, tmp_path: Path
) -> None:
    text = own.join(['name,"age' + inside + 'in ""years"""', "Ann,39", f'"B{inside}b",40', ""])
    path = written(tmp_path, text.encode(encoding))
    dialect = csv_dialect(CsvFile(path=path))
    assert (dialect.header, dialect.columns) == (True, ("name", f'age{inside}in "years"'))
    assert dialect.line_break == own
    assert counted_rows(path) == Counter({("Ann", "39"): 1, (f"B{inside}b", "40"): 1})


@pytest.mark.parametrize("name", ["a[1].csv", "a*.csv", "a?.csv", "it's.csv", "x=1.csv"])
def test_a_path_means_one_file(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()
    for other in ("a1.csv", "ab.csv", "a[1].csv", "a*.csv", "a?.csv"):
        written(folder, "a,b\nother,other\n", other)
    path = written(folder, "a,b\nthis,one\n", name)
    assert DuckDBEngine().columns(CsvFile(path=path)) == ("a", "b")
    assert counted_rows(path) == Counter({("this", "one"): 1})
