"""Releases read with typed columns: of every kind, as pandas and polars."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pandas as pd
import polars as pl
import pytest
from tests.raised import raises
from tests.utility.released_files import KINDS, WrittenRelease, written_release

import sfumato as sf
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=KINDS, scope="module")
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[WrittenRelease, Path]:
    folder = tmp_path_factory.mktemp("release")
    release = written_release(request.param, 1, folder)
    return release, next(iter(sorted(folder.glob("*.csv"))))


def test_pandas(made: tuple[WrittenRelease, Path]) -> None:
    release, path = made
    frame = sf.read_release(path, release.study)
    assert len(frame) == len(release.written)
    assert pd.api.types.is_integer_dtype(frame["hours"])
    assert frame["town"].cat.ordered
    assert frame["town"].astype(str).tolist() == release.written["town"].tolist()
    for name in ("age", "height"):
        for interval, text in zip(frame[name], release.written[name], strict=True):
            span = release.numbers(name, text)
            assert span is not None
            assert (interval.left, interval.right) == (span[0], span[2])
    for value, text in zip(frame["born"], release.written["born"], strict=True):
        span = release.numbers("born", text)
        assert span is not None
        start = value.left if isinstance(value, pd.Interval) else value.start_time
        end = value.right if isinstance(value, pd.Interval) else value.end_time
        assert (start.date().toordinal(), end.date().toordinal()) == (span[0], span[2])


def test_polars(made: tuple[WrittenRelease, Path]) -> None:
    release, path = made
    frame = sf.read_release(path, release.study, frame="polars")
    assert isinstance(frame.schema["town"], pl.Enum)
    for name in ("age", "height", "born"):
        for span, text in zip(frame[name].to_list(), release.written[name], strict=True):
            numbers = release.numbers(name, text)
            assert numbers is not None
            low, high = span["low"], span["high"]
            if name == "born":
                assert isinstance(low, date)
                low, high = low.toordinal(), high.toordinal()
            assert (low, high) == (numbers[0], numbers[2])


def test_what_cannot_be_read(made: tuple[WrittenRelease, Path], tmp_path: Path) -> None:
    release, path = made
    with raises(SourceError, code="no-such-file"):
        sf.read_release(tmp_path / "none.csv", release.study)
    other = tmp_path / "other.csv"
    pd.read_csv(path, dtype=str).drop(columns="age").to_csv(other, index=False)
    with raises(SourceError, code="lacking-columns", column="age"):
        sf.read_release(other, release.study)
