"""Finding, checking and caching the Adult file, without network."""

from __future__ import annotations

import hashlib
import io
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest
from tests.raised import raises

from sfumato.datasets import adult_file
from sfumato.datasets.adult_file import (
    COLUMNS,
    ROWS,
    SHA256,
    _normalise,
    adult_path,
    cache_folder,
    cached_adult,
    hierarchy_path,
)
from sfumato.errors import SettingsError, SourceError

FIRST = (
    *("Male", "39", "White", "Never-married", "Bachelors"),
    *("United-States", "State-gov", "Adm-clerical", "<=50K"),
)
LAST = (
    *("Female", "28", "Black", "Married-civ-spouse", "Bachelors"),
    *("Cuba", "Private", "Prof-specialty", "<=50K"),
)

RAW = """\
39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, \
2174, 0, 40, United-States, <=50K
54, ?, 180211, Some-college, 10, Married-civ-spouse, ?, Husband, Asian-Pac-Islander, Male, \
0, 0, 60, South, >50K
28, Private, 338409, Bachelors, 13, Married-civ-spouse, Prof-specialty, Wife, Black, Female, \
0, 0, 40, Cuba, <=50K

"""
COMMA_HEADER = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,class\n"
)
COMMA = (
    COMMA_HEADER
    + """\
39,State-gov,77516.0,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,\
2174.0,0.0,40,United-States,<=50K
54,,180211.0,Some-college,10,Married-civ-spouse,,Husband,Asian-Pac-Islander,Male,\
0.0,0.0,60,South,>50K
31,Private,1.0,Some-college,10,Married-civ-spouse,Sales,Husband,White,Male,\
0.0,0.0,60,NaN,>50K
28,Private,338409.0,Bachelors,13,Married-civ-spouse,Prof-specialty,Wife,Black,Female,\
0.0,0.0,40,Cuba,<=50K
"""
)
SEMICOLON = "\n".join(";".join(row) for row in (COLUMNS, FIRST, LAST)) + "\n"
LAYOUTS = {
    "raw": RAW,
    "raw with carriage returns": RAW.replace("\n", "\r\n"),
    "comma": COMMA,
    "semicolon": SEMICOLON,
    "semicolon with carriage returns": SEMICOLON.replace("\n", "\r\n"),
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no variable that names a file, no network."""

    def offline(*_: object, **__: object) -> None:
        raise urllib.error.URLError("no network in tests")

    folder = tmp_path / "cache"
    monkeypatch.setenv("SFUMATO_CACHE", str(folder))
    monkeypatch.delenv("SFUMATO_ADULT", raising=False)
    monkeypatch.setattr(urllib.request, "urlopen", offline)
    return folder


@pytest.fixture
def excerpt_is_adult(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Let the two complete rows of the excerpts pass for the whole file."""
    content = SEMICOLON.encode()
    monkeypatch.setattr(adult_file, "SHA256", hashlib.sha256(content).hexdigest())
    monkeypatch.setattr(adult_file, "ROWS", 2)
    return content


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def zipped(name: str, text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, text)
    return buffer.getvalue()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_complete_rows(layout: str) -> None:
    assert _normalise(LAYOUTS[layout]) == [FIRST, LAST]


def test_test_rows_that_come_first_are_left_out() -> None:
    test_row, *training_rows = COMMA.removeprefix(COMMA_HEADER).splitlines(keepends=True)
    incomplete, _, complete = training_rows
    text = COMMA_HEADER + test_row * 16_281 + incomplete * 32_560 + complete
    assert _normalise(text) == [LAST]


@pytest.mark.parametrize("text", ["", "\n", "hello", "a;b\n1;2\n", "1,2,3\n", '"'])
def test_other_layouts_are_refused_with_those_that_work(text: str) -> None:
    with raises(SourceError, code="unknown-format"):
        _normalise(text)


def test_a_row_of_another_length_is_named() -> None:
    with raises(SourceError, code="ragged-rows", found="8"):
        _normalise(SEMICOLON.replace(";Prof-specialty", ""))


@pytest.mark.parametrize("text", ["age\x00;b", '"' + "x" * 200_000])
def test_what_is_no_table_is_refused(text: str) -> None:
    with raises(SourceError, code="unknown-format"):
        _normalise(text)


@pytest.mark.usefixtures("excerpt_is_adult")
@pytest.mark.parametrize("layout", ["raw", "comma", "semicolon with carriage returns"])
def test_a_given_file_is_normalised_into_the_cache(
    layout: str, tmp_path: Path, cache: Path
) -> None:
    given = written(tmp_path / "given", "\ufeff" + LAYOUTS[layout])
    assert adult_path(str(given)) == cache / "adult.csv"
    assert (cache / "adult.csv").read_bytes() == SEMICOLON.encode()
    assert [path.name for path in cache.iterdir()] == ["adult.csv"]


@pytest.mark.usefixtures("excerpt_is_adult")
def test_a_file_that_is_normalised_already_needs_no_cache(tmp_path: Path, cache: Path) -> None:
    given = written(tmp_path / "given.csv", SEMICOLON)
    assert adult_path(given) == given
    assert not cache.exists()


@pytest.mark.usefixtures("excerpt_is_adult")
def test_the_path_goes_before_the_variable_and_the_variable_before_the_cache(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_path = written(tmp_path / "by_path.csv", SEMICOLON)
    by_variable = written(tmp_path / "by_variable.csv", SEMICOLON)
    cache.mkdir()
    by_cache = written(cache / "adult.csv", SEMICOLON)
    assert adult_path() == by_cache
    monkeypatch.setenv("SFUMATO_ADULT", str(by_variable))
    assert adult_path() == by_variable
    assert adult_path(by_path) == by_path


@pytest.mark.usefixtures("excerpt_is_adult")
def test_a_wrong_file_is_an_error_even_if_the_cache_has_a_good_one(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    written(cache / "adult.csv", SEMICOLON)
    with raises(SourceError, code="unreadable-file"):
        adult_path(tmp_path / "absent.csv")
    monkeypatch.setenv("SFUMATO_ADULT", str(tmp_path))
    with raises(SourceError, code="unreadable-file"):
        adult_path()
    given = tmp_path / "latin"
    given.write_bytes(b"age;\xff")
    with raises(SourceError, code="wrong-encoding"):
        adult_path(given)


@pytest.mark.usefixtures("excerpt_is_adult")
def test_a_damaged_cache_is_not_used_and_is_replaced(tmp_path: Path, cache: Path) -> None:
    cache.mkdir()
    damaged = written(cache / "adult.csv", SEMICOLON[:-9])
    assert cached_adult() is None
    assert adult_path(written(tmp_path / "adult.data", RAW)) == damaged
    assert damaged.read_bytes() == SEMICOLON.encode()
    assert adult_path() == cached_adult() == damaged


def test_other_rows_are_refused_with_both_counts_and_checksums(tmp_path: Path, cache: Path) -> None:
    found = hashlib.sha256(SEMICOLON.encode()).hexdigest()
    expected = f"30,162 rows with SHA-256 {SHA256}"
    with raises(SourceError, code="other-file", found=found, expected=expected):
        adult_path(written(tmp_path / "adult.data", RAW))
    assert not cache.exists()


@pytest.mark.usefixtures("excerpt_is_adult")
def test_a_cache_that_cannot_be_written_names_the_variable_that_moves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = written(tmp_path / "occupied", "a file, not a folder")
    monkeypatch.setenv("SFUMATO_CACHE", str(occupied))
    with raises(SourceError, code="unwritable-file"):
        adult_path(written(tmp_path / "adult.data", RAW))


@pytest.mark.usefixtures("excerpt_is_adult")
def test_a_write_that_fails_leaves_nothing_behind(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with raises(SourceError, code="unwritable-file"):
        adult_path(written(tmp_path / "adult.data", RAW))
    assert list(cache.iterdir()) == []


@pytest.mark.usefixtures("excerpt_is_adult")
def test_the_archive_is_downloaded_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def answer(url: str, timeout: float) -> io.BytesIO:
        assert timeout > 0
        asked.append(url)
        return io.BytesIO(zipped("adult.data", RAW))

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    assert adult_path() == adult_path() == cache / "adult.csv"
    assert asked == ["https://archive.ics.uci.edu/static/public/2/adult.zip"]
    output = capsys.readouterr()
    assert output.out == ""
    assert "downloading" in output.err


@pytest.mark.usefixtures("excerpt_is_adult")
def test_the_archive_itself_may_be_given(tmp_path: Path, cache: Path) -> None:
    given = tmp_path / "adult.zip"
    given.write_bytes(zipped("adult.data", RAW))
    assert adult_path(given) == cache / "adult.csv"
    given.write_bytes(zipped("adult.names", RAW))
    with raises(SourceError, code="broken-archive"):
        adult_path(given)
    given.write_bytes(b"PK and no more")
    with raises(SourceError, code="broken-archive"):
        adult_path(given)


def test_offline_the_three_other_ways_are_told(cache: Path) -> None:
    with raises(SourceError, code="no-download") as caught:
        adult_path()
    message = str(caught.value)
    for way in ("no network in tests", "`path`", "SFUMATO_ADULT", str(cache / "adult.csv")):
        assert way in message


def test_an_answer_that_is_no_archive_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(b"<html>"))
    with raises(SourceError, code="no-download"):
        adult_path()


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", None, "home/.cache/sfumato"),
        ("linux", "XDG_CACHE_HOME", "chosen/sfumato"),
        ("darwin", "XDG_CACHE_HOME", "home/Library/Caches/sfumato"),
        ("win32", None, "home/AppData/Local/sfumato"),
        ("win32", "LOCALAPPDATA", "chosen/sfumato"),
        ("win32", "SFUMATO_CACHE", "chosen"),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(
    platform: str,
    variable: str | None,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SFUMATO_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable is not None:
        monkeypatch.setenv(variable, str(tmp_path / "chosen"))
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert cache_folder() == tmp_path / expected


def test_a_relative_xdg_folder_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SFUMATO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "sfumato"


@pytest.mark.parametrize("column", ["zip", "", "../adult/sex", "Sex"])
def test_an_unknown_column_is_refused_with_those_that_have_a_hierarchy(column: str) -> None:
    with raises(SettingsError, code="unknown-column"):
        hierarchy_path(column)


def test_the_real_file_has_the_known_checksum(adult_path: Path) -> None:
    content = adult_path.read_bytes()
    assert hashlib.sha256(content).hexdigest() == SHA256
    assert content.count(b"\n") == 1 + ROWS
    assert len(_normalise(content.decode())) == ROWS
