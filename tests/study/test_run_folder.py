"""The run folder: what is read is what was written, and nothing is ever half there."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.raised import raises
from tests.slow_variants import slow
from tests.study.people import people
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs import run_folder
from sfumato.study.runs.run import SourceDigest
from sfumato.study.runs.run_folder import check_free, read_run, read_study, write_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.study.runs.run import Run

LIMIT = '[suppression]\npolicy = "limit"\nlimit = 0.1\n'
EVERY = '[suppression]\npolicy = "limit"\nlimit = 0.2\nthreshold = "every"\n'


def make_run(folder: Path, extra: str = LIMIT, **settings: bool) -> Run:
    study_file = read_study_file(write_people(folder, PEOPLE + extra))
    result = study_file.study.search()
    return write_run(folder / "run", study_file, result, seconds=1.5, **settings)  # type: ignore[arg-type]


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("extra", ["", LIMIT, EVERY])
def test_what_is_read_is_what_was_found(extra: str, tmp_path: Path) -> None:
    written = make_run(tmp_path, extra)
    run = read_run(tmp_path / "run")
    study = read_study_file(tmp_path / "study.toml").study
    assert run.result == written.result == study.search()
    assert run.details == written.details
    for solution, detail in zip(run.result.front, run.details, strict=True):
        assert detail.metrics == study.evaluate(solution).values
    assert run.before == written.before
    assert run.columns == written.columns
    assert [column.name for column in run.columns] == ["age", "zip", "sex"]
    assert (run.version, run.seconds) == (sf.__version__, 1.5)
    assert run.created.endswith("+00:00")
    content = (tmp_path / "people.csv").read_bytes()
    assert run.source.path == str(tmp_path / "people.csv")
    assert run.source.sha256 == hashlib.sha256(content).hexdigest()
    assert (run.source.bytes, run.source.rows, run.source.dropped_rows) == (len(content), 80, 0)


def test_what_the_folder_holds(tmp_path: Path) -> None:
    run = make_run(tmp_path, '[search]\nseed = 4\nobjectives = ["k", "normalized-loss"]\n')
    folder = tmp_path / "run"
    assert set(files(folder)) == {
        "study.toml",
        "study-as-written.toml",
        "run.json",
        "front.json",
        "front.csv",
        "hierarchies/04-sex.csv",
    }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "study-as-written.toml").read_text() == (tmp_path / "study.toml").read_text()
    record = json.loads((folder / "run.json").read_text())
    assert (record["format"], record["seed"], record["exact"]) == (2, 4, True)
    assert set(record["versions"]) >= {"python", "numpy", "duckdb"}
    with (folder / "front.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["k"]) for row in rows] == [s.values["k"] for s in run.result.front]
    assert [int(row["level:zip"]) for row in rows] == [s.levels["zip"] for s in run.result.front]
    assert [float(row["t"]) for row in rows] == [detail.metrics["t"] for detail in run.details]


def test_the_copy_stands_on_its_own(tmp_path: Path) -> None:
    pain = "distance = { hierarchy = 'pain.csv' }"
    text = PEOPLE.replace('role = "sensitive"\n\n', f'role = "sensitive"\n{pain}\n\n', 1)
    text = text.replace('"hierarchies/sex.csv"', "{ file = 'sex.txt', delimiter = '|' }")
    path = write_people(tmp_path / "study", text + EVERY + '[release]\nsuppressed = "star"\n')
    (path.parent / "sex.txt").write_text("M|*\nF|*\n")
    (path.parent / "pain.csv").write_text("flu;x;*\ncold;x;*\ngout;y;*\n")
    study_file = read_study_file(path)
    result = study_file.study.search()
    write_run(tmp_path / "run", study_file, result, seconds=0)
    # The data stay where they are, all else may go, and the run may move.
    for name in ("study.toml", "sex.txt", "pain.csv"):
        (path.parent / name).unlink()
    shutil.move(tmp_path / "run", tmp_path / "elsewhere")
    copy = read_run(tmp_path / "elsewhere").study_file
    assert copy.path == tmp_path / "elsewhere" / "study.toml"
    assert (copy.suppressed_rows, copy.search) == ("star", study_file.search)
    for ours, theirs in zip(copy.study.attributes, study_file.study.attributes, strict=True):
        assert ours == theirs
    assert copy.study.search() == result
    assert read_study(tmp_path / "elsewhere").study.search() == result


def test_hierarchies_survive_whatever_their_labels(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    labels = ["F", "M", ' "quoted"', "semi;colon", "two\nlines", "carriage\rreturn", "é", "01"]
    rows = [[label, "all"] for label in reversed(labels)]
    hierarchy = sf.Hierarchy.from_rows(rows, name="sex")
    sf.write_hierarchy_csv(hierarchy, tmp_path / "hierarchies" / "sex.csv")
    study_file = read_study_file(path)
    assert study_file.study.attributes[3].hierarchy == hierarchy
    run = write_run(tmp_path / "run", study_file, study_file.study.search(), seconds=0)
    assert run.study_file.study.attributes[3].hierarchy == hierarchy


def test_infinite_metrics_survive(tmp_path: Path) -> None:
    # Both rows are suppressed, as no class has five: c-avg is infinite.
    path = write_people(tmp_path, PEOPLE.split("[columns.name]")[0].replace("people", "same"))
    path.write_text(
        path.read_text()
        + '[columns.sex]\nrole = "quasi-identifying"\nhierarchy = { intervals = [1] }\n'
        + '[suppression]\npolicy = "given-k"\nk = 5\n'
    )
    (tmp_path / "same.csv").write_text("sex\n1\n1\n")
    study_file = read_study_file(path)
    result = study_file.study.search()
    run = write_run(tmp_path / "run", study_file, result, seconds=0)
    assert run.details[0].metrics["c-avg"] == float("inf")
    text = (tmp_path / "run" / "front.json").read_text()
    assert '"c-avg": "inf"' in text

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    json.loads(text, parse_constant=refuse)
    assert run.details[0].metrics == study_file.study.evaluate(run.result.front[0]).values


@pytest.mark.parametrize("source", ['path = "people.parquet"', 'path = "p.db"\ntable = "people"'])
def test_other_sources(source: str, tmp_path: Path) -> None:
    text = PEOPLE.replace('path = "people.csv"', source)
    path = write_people(tmp_path, text)
    people().to_parquet(tmp_path / "people.parquet")
    with duckdb.connect(tmp_path / "p.db") as connection:
        rows = f"read_csv('{tmp_path}/people.csv', all_varchar = true)"
        connection.execute(f"CREATE TABLE people AS SELECT * FROM {rows}")
    study_file = read_study_file(path)
    run = write_run(tmp_path / "run", study_file, study_file.study.search(), seconds=0)
    run.check_source()
    assert run.study_file.study.source == study_file.study.source
    plain = read_study_file(write_people(tmp_path / "plain")).study
    assert read_study(tmp_path / "run").study.search() == run.result == plain.search()


def test_dropped_rows_are_recorded(tmp_path: Path) -> None:
    path = write_people(tmp_path, PEOPLE + '[missing]\npolicy = "drop"\nmarkers = ["gout"]\n')
    study_file = read_study_file(path)
    run = write_run(tmp_path / "run", study_file, study_file.study.search(), seconds=0)
    gout = (tmp_path / "people.csv").read_text().count(",gout,")
    assert gout > 0
    assert (run.source.rows, run.source.dropped_rows) == (80 - gout, gout)


def test_a_source_that_changed_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.check_source()
    source = tmp_path / "people.csv"
    content = source.read_text()
    source.write_text(content.replace("person 1,", "person 2,"))
    with raises(sf.SourceError, code="source-changed"):
        run.check_source()
    with raises(sf.SourceError, code="source-changed"):
        read_study(tmp_path / "run")
    source.write_text(content)
    run.check_source()
    source.unlink()
    with raises(sf.SourceError, code="no-such-file"):
        run.check_source()


def test_a_source_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    study_file = read_study_file(write_people(tmp_path))
    result = study_file.study.search()
    with raises(sf.SourceError, code="source-changed"):
        write_run(
            tmp_path / "run",
            study_file,
            result,
            seconds=0,
            counted=SourceDigest(sha256="0" * 64, bytes=3),
        )
    assert not (tmp_path / "run").exists()


def test_an_existing_run_is_replaced_only_if_asked(tmp_path: Path) -> None:
    make_run(tmp_path, LIMIT)
    first = files(tmp_path / "run")
    with raises(sf.SettingsError, code="already-exists", file=tmp_path / "run"):
        make_run(tmp_path, EVERY)
    assert files(tmp_path / "run") == first
    (tmp_path / "run" / "report.html").write_text("of the first run")
    run = make_run(tmp_path, EVERY, force=True)
    assert run.study_file.study.suppression.threshold == "every"
    assert not (tmp_path / "run" / "report.html").exists()
    (tmp_path / "run" / "released.csv").write_text("somebody's work")
    with raises(sf.SettingsError, code="never-replaced", found="'released.csv'"):
        make_run(tmp_path, LIMIT, force=True)
    assert (tmp_path / "run" / "released.csv").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "hierarchies",
        "people.csv",
        "run",
        "study.toml",
    ]


@pytest.mark.parametrize("force", [True, False])
def test_other_folders_are_never_replaced(force: bool, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.write_text("a file")
    with raises(sf.SettingsError, code="is-a-file"):
        check_free(place, force=force)
    place.unlink()
    place.mkdir()
    check_free(place, force=force)
    (place / "letter.txt").write_text("dear")
    with raises(sf.SettingsError, code="never-replaced"):
        check_free(place, force=force)
    (place / "run.json").write_text('{"kind": "of something else"}')
    with raises(sf.SettingsError, code="never-replaced"):
        check_free(place, force=force)


def test_an_empty_folder_and_new_parents_are_taken(tmp_path: Path) -> None:
    study_file = read_study_file(write_people(tmp_path))
    result = study_file.study.search()
    (tmp_path / "empty").mkdir(mode=0o755)
    write_run(tmp_path / "empty", study_file, result, seconds=0)
    assert stat.S_IMODE((tmp_path / "empty").stat().st_mode) == 0o700
    write_run(tmp_path / "a" / "b", study_file, result, seconds=0)
    assert read_run(tmp_path / "a" / "b").result == result


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", [slow("front_record"), "study_copy", slow("place_together")])
def test_nothing_half_written_stays(
    step: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path, LIMIT)
    before = files(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(run_folder, step, fail)
    expected = sf.SettingsError if isinstance(error, OSError) else KeyboardInterrupt
    study_file = read_study_file(tmp_path / "study.toml")
    result = study_file.study.search()
    for place in ("run", "other"):
        with pytest.raises(expected, match=r"No space left on device|^$"):
            write_run(tmp_path / place, study_file, result, seconds=0, force=True)
    assert files(tmp_path) == before
    assert not (tmp_path / "other").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_an_older_run_comes_back_if_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path, LIMIT)
    before = files(tmp_path)
    rename = type(tmp_path).rename

    def second_fails(self: Path, target: Path) -> Path:
        if target == tmp_path / "run" and self.name == "unfinished":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(type(tmp_path), "rename", second_fails)
    study_file = read_study_file(tmp_path / "study.toml")
    with raises(sf.SettingsError, code="unwritable-file", file=tmp_path / "run"):
        write_run(tmp_path / "run", study_file, study_file.study.search(), seconds=0, force=True)
    assert files(tmp_path) == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    study_file = read_study_file(write_people(tmp_path))
    result = study_file.study.search()
    with raises(sf.SettingsError, code="unwritable-file"):
        write_run(tmp_path / "people.csv" / "run", study_file, result, seconds=0)


def _edit(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_text(change(path.read_text()))

    return edit


@pytest.mark.parametrize(
    ("harm", "code"),
    [
        (
            lambda folder: (folder / "run.json").unlink(),
            "not-a-run-folder",
        ),
        (lambda folder: (folder / "front.json").unlink(), "not-a-run-folder"),
        (
            lambda folder: (folder / "study.toml").unlink(),
            "broken-run-folder",
        ),
        (_edit("run.json", lambda text: text[:100]), "broken-run-folder"),
        (_edit("front.json", lambda text: text[:-9]), "broken-run-folder"),
        (_edit("run.json", lambda _: "[]"), "not-a-run-folder"),
        (
            _edit("run.json", lambda text: text.replace('"format": 2', '"format": 1')),
            "other-version",
        ),
        (
            _edit("run.json", lambda text: text.replace('"exact": true', '"exact": "yes"')),
            "broken-run-folder",
        ),
        (_edit("run.json", lambda text: text.replace('"nodes"', '"knots"')), "broken-run-folder"),
        (
            _edit("front.json", lambda text: text.replace('"id": 1,', '"id": 9,')),
            "broken-run-folder",
        ),
        (_edit("front.json", lambda text: text.replace('"higher"', '"up"')), "broken-run-folder"),
        (
            _edit("front.json", lambda text: text.replace('"zip": 0', '"zip": "a"')),
            "broken-run-folder",
        ),
        (
            _edit("front.json", lambda text: text.replace('"zip": ', '"sip": ')),
            "broken-run-folder",
        ),
    ],
)
def test_a_folder_that_is_not_a_run_is_refused(
    harm: Callable[[Path], None], code: str, tmp_path: Path
) -> None:
    make_run(tmp_path)
    harm(tmp_path / "run")
    with raises(sf.SettingsError, code=code, file=tmp_path / "run"):
        read_run(tmp_path / "run")


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with raises(sf.SettingsError, code="not-a-run-folder", file=tmp_path / "run"):
        read_run(tmp_path / "run")
    (tmp_path / "run").write_text("")
    with raises(sf.SettingsError, code="not-a-run-folder", file=tmp_path / "run"):
        read_run(tmp_path / "run")


@pytest.mark.slow
def test_a_killed_process_leaves_the_place_free(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from sfumato.study.runs import run_folder\n"
        "from sfumato.study.file.study_file import read_study_file\n"
        "study_file = read_study_file(sys.argv[1])\n"
        "result = study_file.study.search()\n"
        "run_folder.front_record = lambda run: os.kill(os.getpid(), signal.SIGKILL)\n"
        "run_folder.write_run(sys.argv[2], study_file, result, seconds=0)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, path, tmp_path / "run"], check=False)
    assert killed.returncode == -9
    assert not (tmp_path / "run").exists()
    study_file = read_study_file(path)
    write_run(tmp_path / "run", study_file, study_file.study.search(), seconds=0)


def test_a_run_whose_study_or_hierarchies_were_edited_is_refused(tmp_path: Path) -> None:
    study = write_people(tmp_path)
    study_file = read_study_file(study)
    result = study_file.study.search()
    for name, old, new in [
        ("study.toml", '"identifying"', '"insensitive"'),
        ("hierarchies/04-sex.csv", "M;*", "M;*\nX;*"),
    ]:
        run = write_run(tmp_path / "run", study_file, result, seconds=0.0, force=True)
        path = run.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        with raises(sf.SettingsError, code="broken-run-folder", file=run.folder) as caught:
            read_run(run.folder)
        assert name in str(caught.value)
        path.write_text(text)
