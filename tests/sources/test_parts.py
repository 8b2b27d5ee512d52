"""A folder of parts is one table; what is not is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

from sfumato.errors import SourceError
from sfumato.sources.csv_dialect import common_dialect, csv_dialect
from sfumato.sources.parts import parts_of
from sfumato.sources.source import CsvFile, ParquetFile, source_of

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, **texts: str) -> tuple[Path, ...]:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text)
    return parts_of(folder)


def test_parts_come_by_name_without_notes(tmp_path: Path) -> None:
    written(tmp_path / "people", b__csv="", a__csv="", _SUCCESS="", __crc="")
    (tmp_path / "people" / "inner").mkdir()
    assert [part.name for part in parts_of(tmp_path / "people")] == ["a.csv", "b.csv"]


def test_a_link_may_not_lead_elsewhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    written(tmp_path / "people", a__csv="a\n1\n")
    (tmp_path / "people" / "again.csv").symlink_to(tmp_path / "people" / "a.csv")
    assert len(parts_of(tmp_path / "people")) == 2
    link = tmp_path / "people" / "b.csv"
    link.symlink_to(secret)
    with raises(SourceError, code="part-elsewhere", file=link):
        parts_of(tmp_path / "people")


def test_the_endings_of_parts_tell_the_kind(tmp_path: Path) -> None:
    written(tmp_path / "texts", a__csv="", b__csv="")
    written(tmp_path / "tables", a__parquet="", b__pq="")
    written(tmp_path / "both", a__csv="", b__parquet="")
    (tmp_path / "none").mkdir()
    assert source_of(tmp_path / "texts") == CsvFile(path=tmp_path / "texts")
    assert source_of(tmp_path / "tables") == ParquetFile(path=tmp_path / "tables")
    with raises(SourceError, code="is-a-folder", file=tmp_path / "both"):
        source_of(tmp_path / "both")
    with raises(SourceError, code="empty-folder", file=tmp_path / "none"):
        source_of(tmp_path / "none")


def test_the_dialect_is_that_of_all_parts(tmp_path: Path) -> None:
    # The second part alone would be read with commas, and without a header.
    parts = written(tmp_path / "people", a__csv="a;b\n1;2,5\n", b__csv="a;b\n")
    found = common_dialect(CsvFile(path=tmp_path / "people"), parts)
    assert (found.delimiter, found.header, found.columns) == (";", True, ("a", "b"))


@pytest.mark.parametrize("second", ["1;2\n3;4\n", "a;c\n1;2\n", "a;b;c\n1;2;3\n", "\na;b\n1;2\n"])
def test_parts_with_another_first_line_are_refused(tmp_path: Path, second: str) -> None:
    parts = written(tmp_path / "people", a__csv="a;b\n1;2\n", b__csv=second)
    with raises(SourceError, code="other-columns", file=parts[1]):
        common_dialect(CsvFile(path=tmp_path / "people"), parts)


def test_a_changed_file_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a;b\n1;2\n")
    assert csv_dialect(CsvFile(path=path)).delimiter == ";"
    path.write_text("c,dd,e\n1,2,3\n")
    assert csv_dialect(CsvFile(path=path)).columns == ("c", "dd", "e")
