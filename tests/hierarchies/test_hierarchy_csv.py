from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders import Dates, Intervals
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv, write_hierarchy_csv
from sfumato.hierarchies.hierarchy import Hierarchy

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "zip.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_an_arx_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff24126;241**;*\r\n\r\n24127;241**;*\r\n  \n24300;243**;*")
    hierarchy = read_hierarchy_csv(path)
    assert hierarchy.labels == (("24126", "24127", "24300"), ("241**", "243**"), ("*",))


def test_quotes_hold_delimiters_newlines_and_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, '"a;b";"say ""x""";*\n"two\nlines";y;*\nü漢;y;*\n"";y;*\n')
    hierarchy = read_hierarchy_csv(path)
    assert hierarchy.domain.leaves == ("a;b", "two\nlines", "ü漢", "")
    assert hierarchy.labels[1] == ('say "x"', "y")


def test_other_delimiters_and_encodings(tmp_path: Path) -> None:
    path = written(tmp_path, "Österreich,*\nFrance,*\n".encode("latin-1"))
    hierarchy = read_hierarchy_csv(path, delimiter=",", encoding="latin-1")
    assert hierarchy.domain.leaves == ("Österreich", "France")


@pytest.mark.parametrize(
    ("content", "code", "line", "found"),
    [
        ("", "empty-file", None, None),
        ("\n \n", "empty-file", None, None),
        ("a;x;*\n\nb;*\n", "ragged-rows", 3, "2"),
        ('"a\nb";*\nc;*\nc;*\n', "duplicate", 4, "'c'"),
        ("a;x;p;*\nb;x;q;*\n", "level-splits", 2, "'x'"),
        ("a;x\nb;y\n", "several-tops", None, "'x', 'y'"),
        ("age;top\n1;*\n2;*\n", "several-tops", 1, "'top', '*'"),
        ("a;x;\nb;x;\n", "empty-top", None, None),
        ("a\nb\n", "one-column", None, "';'"),
        ('a;*\n"b;*\n', "broken-quoting", 2, None),
        (b"a;*\nb\xfc;*\n", "wrong-encoding", 2, "'utf-8-sig'"),
    ],
)
def test_errors_name_file_line_and_what_is_wrong(
    tmp_path: Path, content: str | bytes, code: str, line: int | None, found: str | None
) -> None:
    path = written(tmp_path, content)
    with raises(HierarchyError, code=code, file=path, line=line, found=found):
        read_hierarchy_csv(path)


@pytest.mark.parametrize(
    ("content", "code", "suggestion"),
    [
        ("a,x,*\nb,y,*\n", "one-column", ","),
        ("a\tx\nb\tx\n", "one-column", "\t"),
        (b"a;*\nb\xfc;*\n", "wrong-encoding", "cp1252"),
        ("a;*\n".encode("utf-16"), "wrong-encoding", "utf-16"),
    ],
)
def test_another_delimiter_or_encoding_is_suggested(
    tmp_path: Path, content: str | bytes, code: str, suggestion: str
) -> None:
    with raises(HierarchyError, code=code, suggestion=suggestion):
        read_hierarchy_csv(written(tmp_path, content))


def test_a_missing_file_and_what_may_have_been_meant(tmp_path: Path) -> None:
    written(tmp_path, "a;*\n")
    path = tmp_path / "zips.csv"
    with raises(HierarchyError, code="no-such-file", file=path, suggestion="zip.csv"):
        read_hierarchy_csv(path)
    for path in (tmp_path / "quite other.txt", tmp_path / "nowhere" / "zip.csv"):
        with raises(HierarchyError, code="no-such-file", file=path) as caught:
            read_hierarchy_csv(path)
        assert caught.value.suggestion is None
    with raises(HierarchyError, code="unreadable-file", file=tmp_path):
        read_hierarchy_csv(tmp_path)


def test_settings_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path, "a;*\n")
    with raises(SettingsError, code="not-a-delimiter", key="delimiter", found="'::'"):
        read_hierarchy_csv(path, delimiter="::")
    with raises(SettingsError, code="unknown-encoding", key="encoding", found="'klingon'"):
        read_hierarchy_csv(path, encoding="klingon")
    with raises(SettingsError, code="not-a-delimiter", key="delimiter", found="''"):
        write_hierarchy_csv(read_hierarchy_csv(path), path, delimiter="")


@given(
    paths=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=5),
        st.sampled_from(['x;"', "y\n", "ü"]),
        min_size=1,
        max_size=8,
    )
)
def test_what_is_written_is_read(
    paths: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = [(leaf, label, "*") for leaf, label in paths.items()]
    hierarchy = Hierarchy.from_rows(rows, name="random")
    path = tmp_path_factory.mktemp("round") / "trip.csv"
    write_hierarchy_csv(hierarchy, path)
    assert read_hierarchy_csv(path) == hierarchy
    assert [entry.name for entry in path.parent.iterdir()] == ["trip.csv"]


@pytest.mark.parametrize(
    "hierarchy",
    [
        Intervals(unit=5).build(["17", "90"], column="age"),
        Intervals().build(["17", "90"], column="age"),
        Dates(levels=("month", "year")).build(["1999-03-01", "2001-02-28"], column="birth"),
        Intervals().build(["17", "90"], column="age").with_missing("?"),
    ],
    ids=repr,
)
def test_built_hierarchies_keep_levels_and_labels(hierarchy: Hierarchy, tmp_path: Path) -> None:
    write_hierarchy_csv(hierarchy, tmp_path / "built.csv", delimiter="|")
    again = read_hierarchy_csv(tmp_path / "built.csv", delimiter="|")
    assert again.labels == hierarchy.labels
    assert all(map(np.array_equal, again.levels, hierarchy.levels))


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    hierarchy = Hierarchy.from_rows([("a", "*")], name="demo")
    with raises(HierarchyError, code="unwritable-file"):
        write_hierarchy_csv(hierarchy, tmp_path / "nowhere" / "zip.csv")
    (tmp_path / "folder").mkdir()
    with raises(HierarchyError, code="unwritable-file"):
        write_hierarchy_csv(hierarchy, tmp_path / "folder")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
