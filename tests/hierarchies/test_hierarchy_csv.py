from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    ("content", "message"),
    [
        ("", "zip.csv: the file is empty"),
        ("\n \n", "zip.csv: the file is empty"),
        ("a;x;*\n\nb;*\n", r"3 expected; line 3 \('b'\) has 2"),
        ('"a\nb";*\nc;*\nc;*\n', r"'c' \(lines 3 and 4\)"),
        ("a;x;p;*\nb;x;q;*\n", r"'x' of level 1 is under 'p' \(line 1\) and under 'q' \(line 2\)"),
        ("a;x\nb;y\n", "last level must be one block, but it has 2 labels: 'x', 'y'"),
        ("a;x;\nb;x;\n", "last column is empty in every row"),
        ("a,x,*\nb,y,*\n", "one column when split at ';'.*delimiter=',' would give 3"),
        ("a\tx\nb\tx\n", r"delimiter='\\t' would give 2"),
        ("a\nb\n", "one column.*add a last column"),
        ('a;*\n"b;*\n', "the quoting of line 2 is broken"),
        (b"a;*\nb\xfc;*\n", r"not utf-8-sig \(line 2, byte 0xfc\).*encoding='cp1252'"),
        ("a;*\n".encode("utf-16"), "encoding='utf-16'"),
    ],
)
def test_errors_name_file_line_and_value(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(HierarchyError, match=message):
        read_hierarchy_csv(written(tmp_path, content))


def test_a_missing_file_and_what_may_have_been_meant(tmp_path: Path) -> None:
    written(tmp_path, "a;*\n")
    with pytest.raises(HierarchyError, match=r"zips.csv: there is no such file; .* 'zip.csv'\?"):
        read_hierarchy_csv(tmp_path / "zips.csv")
    with pytest.raises(HierarchyError, match="there is no such file in"):
        read_hierarchy_csv(tmp_path / "quite other.txt")
    with pytest.raises(HierarchyError, match="nor a folder"):
        read_hierarchy_csv(tmp_path / "nowhere" / "zip.csv")
    with pytest.raises(HierarchyError, match="cannot be read"):
        read_hierarchy_csv(tmp_path)


def test_settings_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path, "a;*\n")
    with pytest.raises(SettingsError, match="one character"):
        read_hierarchy_csv(path, delimiter="::")
    with pytest.raises(SettingsError, match="'klingon' is no encoding"):
        read_hierarchy_csv(path, encoding="klingon")
    with pytest.raises(SettingsError, match="one character"):
        write_hierarchy_csv(read_hierarchy_csv(path), path, delimiter="")


@settings(deadline=None)
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
    with pytest.raises(HierarchyError, match="cannot be written"):
        write_hierarchy_csv(hierarchy, tmp_path / "nowhere" / "zip.csv")
    (tmp_path / "folder").mkdir()
    with pytest.raises(HierarchyError, match="cannot be written"):
        write_hierarchy_csv(hierarchy, tmp_path / "folder")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
