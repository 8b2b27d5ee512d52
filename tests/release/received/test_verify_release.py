"""Somebody has a released file and its public certificate, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises
from tests.release.certified import edited, released, rows_of, write_rows

import sfumato as sf
from sfumato.release.received.release_check import Fault

if TYPE_CHECKING:
    from pathlib import Path

IDENTIFIERS = ("age", "zip", "sex")


@pytest.fixture
def given(tmp_path: Path) -> tuple[Path, Path]:
    """Return a file and its certificate, in a folder where nothing else is."""
    released(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    file, certificate = elsewhere / "got.csv", elsewhere / "says.json"
    (tmp_path / "out.csv").rename(file)
    (tmp_path / "out.csv.certificate.json").rename(certificate)
    return file, certificate


def found(check: sf.ReleaseCheck) -> dict[str, float]:
    return {each.name: each.found for each in check.compared}


def test_an_intact_release(given: tuple[Path, Path]) -> None:
    check = sf.verify_release(*given)
    assert check.intact
    assert check.faults == ()
    certified = json.loads(given[1].read_text())["metrics"]
    # Every metric is either recomputed or said not to be shown, never both.
    assert set(found(check)) & set(check.not_shown) == set()
    assert set(certified) <= set(found(check)) | set(check.not_shown)
    shown = {"k", "distinct-l", "entropy-l", "frequency-l", "t", "dm", "c-avg", "cm", "s-k"}
    assert shown | {"recursive-l(c=3)", "s-l(column=illness)"} <= set(found(check))


def test_the_metrics_are_those_of_the_rows(given: tuple[Path, Path]) -> None:
    """Counted here from the rows of the file, by other code."""
    header, *rows = rows_of(given[0])
    place = {name: header.index(name) for name in header}
    classes = defaultdict(list)
    for row in rows:
        classes[tuple(row[place[name]] for name in IDENTIFIERS)].append(row)
    check = found(sf.verify_release(*given))
    assert check["rows"] == len(rows)
    assert check["classes"] == len(classes)
    assert check["k"] == min(map(len, classes.values()))
    assert check["dm"] == sum(len(each) ** 2 for each in classes.values())
    assert check["labels of 'age'"] == len({row[place["age"]] for row in rows})
    values = [
        Counter(row[place[name]] for row in each)
        for each in classes.values()
        for name in ("illness", "income")
    ]
    assert check["distinct-l"] == min(map(len, values))
    assert check["frequency-l"] == pytest.approx(
        min(each.total() / max(each.values()) for each in values)
    )


def test_a_changed_cell(given: tuple[Path, Path]) -> None:
    file, certificate = given
    rows = rows_of(file)
    place = rows[0].index("age")
    other = next(row[place] for row in rows[2:] if row[place] != rows[1][place])
    rows[1][place] = other
    write_rows(file, rows)
    check = sf.verify_release(file, certificate)
    assert check.faults == (Fault.CHANGED_FILE,)
    assert {each.name: each.same for each in check.compared}["dm"] is False


def test_a_changed_cell_that_no_metric_sees(given: tuple[Path, Path]) -> None:
    """Two rows of a class swap a column that nothing measures."""
    file, certificate = given
    header, *rows = rows_of(file)
    columns = [header.index(name) for name in IDENTIFIERS]
    place = header.index("smokes")
    first, second = next(
        (one, other)
        for one in rows
        for other in rows
        if [one[c] for c in columns] == [other[c] for c in columns] and one[place] != other[place]
    )
    first[place], second[place] = second[place], first[place]
    write_rows(file, [header, *rows])
    check = sf.verify_release(file, certificate)
    assert check.faults == (Fault.CHANGED_FILE,)
    assert all(each.same for each in check.compared)


@pytest.mark.parametrize("change", [-1, 1])
def test_a_dropped_or_added_row(given: tuple[Path, Path], change: int) -> None:
    file, certificate = given
    rows = rows_of(file)
    write_rows(file, rows[:-1] if change < 0 else [*rows, rows[-1]])
    check = sf.verify_release(file, certificate)
    assert check.faults == (Fault.OTHER_ROWS,)
    assert found(check)["rows"] == len(rows) - 1 + change


def test_another_column(given: tuple[Path, Path]) -> None:
    file, certificate = given
    header, *rows = rows_of(file)
    write_rows(file, [[*header, "name"], *([*row, "x"] for row in rows)])
    check = sf.verify_release(file, certificate)
    assert check.faults == (Fault.OTHER_COLUMNS, Fault.CHANGED_FILE)
    assert check.compared == ()


def test_a_file_that_cannot_be_read_any_more(given: tuple[Path, Path]) -> None:
    file, certificate = given
    file.write_bytes(b"")
    assert Fault.CHANGED_FILE in sf.verify_release(file, certificate).faults
    file.unlink()
    with raises(sf.SourceError, code="no-such-file", file=file):
        sf.verify_release(file, certificate)


def better(metric: str, factor: float) -> object:
    def edit(content: dict[str, dict[str, float]]) -> None:
        content["metrics"][metric] *= factor

    return edit


@pytest.mark.parametrize("metric", ["t", "entropy-l", "cm", "s-l(column=illness)"])
def test_a_changed_metric(given: tuple[Path, Path], metric: str) -> None:
    file, certificate = given
    edited(certificate, better(metric, 0.99))  # type: ignore[arg-type]
    check = sf.verify_release(file, certificate)
    assert check.faults == (Fault.OTHER_METRICS,)
    assert [each.name for each in check.compared if not each.same] == [metric]


def test_a_certificate_that_was_made_to_fit(given: tuple[Path, Path]) -> None:
    """A row is dropped, and the digest and the rows of the certificate follow: k does not."""
    file, certificate = given
    rows = rows_of(file)
    write_rows(file, rows[:-1])

    def fit(content: dict[str, dict[str, object]]) -> None:
        content["release"]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
        content["release"]["rows"] = len(rows) - 2
        for name in ("c-avg", "s-k", "weighted-k", "dm"):
            del content["metrics"][name]

    edited(certificate, fit)
    assert sf.verify_release(file, certificate).faults == (Fault.OTHER_METRICS,)


def test_another_version(given: tuple[Path, Path]) -> None:
    file, certificate = given
    edited(certificate, lambda content: content.update(kind="sfumato public certificate 2"))
    assert sf.verify_release(file, certificate).faults == (Fault.OTHER_VERSION,)


def test_what_is_not_a_certificate(given: tuple[Path, Path], tmp_path: Path) -> None:
    file, certificate = given
    with raises(sf.SourceError, code="private-certificate"):
        sf.verify_release(file, tmp_path / "private.json")
    for text in ("{", "[]", '{"kind": 3}', '{"kind": "sfumato run 1"}', "\ud800"):
        certificate.write_text(text, encoding="utf-8", errors="surrogatepass")
        with raises(sf.SourceError, code="not-a-certificate"):
            sf.verify_release(file, certificate)
    with raises(sf.SourceError, code="no-such-file"):
        sf.verify_release(file, certificate.with_name("none.json"))


def test_starred_rows(tmp_path: Path) -> None:
    release = released(tmp_path, "out.parquet", rows="star")
    assert release.starred > 0
    check = sf.verify_release(tmp_path / "out.parquet", release.certificate_path)
    assert check.intact
    assert found(check)["starred rows"] == release.starred
    assert found(check)["rows"] == 80


def test_what_the_file_does_not_show(tmp_path: Path) -> None:
    """People and statements: never met, never missed, always said."""
    study = sf.Study(
        source=people_twice(),
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("sex", sf.Flat(values=["F", "M"])),
            sf.sensitive("ill", ground_distance=levels_of_illness()),
        ],
        statements="ill = flu",
    )
    release = study.release({"sex": 0}, tmp_path / "out.csv")
    check = sf.verify_release(tmp_path / "out.csv", release.certificate_path)
    assert check.intact
    assert {"k", "distinct-l", "t", "secure", "normalized-loss"} <= set(check.not_shown)
    assert {"rows", "classes", "dm"} <= set(found(check))


def levels_of_illness() -> sf.HierarchicalDistance:
    hierarchy = sf.Flat(values=["flu", "gout", "cold"]).build([], column="ill")
    return sf.HierarchicalDistance(hierarchy=hierarchy)


def people_twice() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "who": [str(row // 2) for row in range(24)],
            "sex": ["FM"[row // 2 % 2] for row in range(24)],
            "ill": [("flu", "gout", "cold")[row % 3] for row in range(24)],
        }
    )
