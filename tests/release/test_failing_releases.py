"""Whatever goes wrong, nothing is left at the destination and the source is untouched."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.heeded_signals import heed_signals
from tests.raised import raises
from tests.slow_variants import slow
from tests.study.people import ATTRIBUTES, people

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.engines.messages.rewrite_plan import ContentDigest, RewritePlan, Target
    from sfumato.sources.source import Source

LEVELS = {"age": 1, "zip": 2, "sex": 0}


class Meddling(sf.DuckDBEngine):
    """An engine during whose work something happens to the file that it has just written."""

    happening: Callable[[Path], None]

    def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
        super().rewrite(source, plan, target)
        type(self).happening(target.path)


def meddled(source: Path, happening: Callable[[Path], None]) -> sf.Study:
    engine_class = type("MeddlingNow", (Meddling,), {"happening": staticmethod(happening)})
    return sf.Study(
        source=source, attributes=ATTRIBUTES, suppression=sf.given_k(2), engine=engine_class()
    )


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.csv"
    people().to_csv(path, index=False)
    return path


def changed_cell(column: str, value: str) -> Callable[[Path], None]:
    def happening(path: Path) -> None:
        connection = duckdb.connect()
        kind = "parquet" if path.suffix == ".parquet" else "csv, HEADER"
        read = "read_parquet" if path.suffix == ".parquet" else "read_csv"
        options = "" if path.suffix == ".parquet" else ", all_varchar = true"
        other = path.with_name("other")
        connection.execute(
            f"COPY (SELECT * REPLACE (CASE WHEN row_number() OVER (ORDER BY {column} = '{value}') "
            f"= 1 THEN '{value}' ELSE {column} END AS {column}) "
            f"FROM {read}('{path}'{options})) TO '{other}' "
            f"(FORMAT {kind})"
        )
        other.replace(path)

    return happening


def another_row(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[-1]]))


def one_row_less(path: Path) -> None:
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def another_column(path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0] + ",name", *(line + ",person 1" for line in lines[1:])]))


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    ("name", "happening", "said"),
    [
        ("o.csv", changed_cell("age", "[20, 25)"), "labels|rows"),
        slow("o.csv", changed_cell("age", "23"), "labels of a quasi-identifier"),
        ("o.csv", changed_cell("illness", "plague"), "rows are not those"),
        slow("o.csv", changed_cell("smokes", "maybe"), "rows are not those"),
        ("o.parquet", changed_cell("income", "9"), "rows are not those"),
        slow("o.csv", another_row, "the number of rows is"),
        ("o.csv", one_row_less, "the number of rows is"),
        ("o.csv", another_column, "identifying column 'name' is in it"),
        ("o.parquet", cut_off, "cannot be read back"),
        slow("o.csv", gone, "cannot be read back"),
    ],
)
def test_a_file_that_was_tampered_with_is_deleted(
    tmp_path: Path, source: Path, name: str, happening: Callable[[Path], None], said: str
) -> None:
    before = source.read_bytes()
    study = meddled(source, happening)
    with pytest.raises(sf.UnmetError, match=said):
        study.release(LEVELS, tmp_path / name, private_certificate=tmp_path / "private.json")
    assert [path.name for path in tmp_path.iterdir()] == ["source.csv"]
    assert source.read_bytes() == before


class WrongTwice(sf.DuckDBEngine):
    """An engine that writes other rows, and takes them for what was to be written."""

    def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:  # noqa: ARG002
        target.path.write_text(rows_of_classes((1, 1, 1, 1, 2, 2, 1, 2, 4)))

    def intended_content(
        self,
        source: Source,  # noqa: ARG002
        plan: RewritePlan,  # noqa: ARG002
        target: Target,
    ) -> ContentDigest:
        return self.content(sf.CsvFile(path=target.path, delimiter=",", quote='"', header=True))


def rows_of_classes(sizes: tuple[int, ...]) -> str:
    """Return rows of three wards and three shifts, by the sizes of their nine classes."""
    rows = [f"{'abc'[n // 3]},{'xyz'[n % 3]}\n" * size for n, size in enumerate(sizes)]
    return "".join(["ward,shift\n", *rows])


def test_only_a_bias_measure_finds_classes_of_other_sizes(tmp_path: Path) -> None:
    """The same labels, number of classes, k and sum of squared sizes, but other sizes."""
    source = tmp_path / "source.csv"
    source.write_text(rows_of_classes((1, 1, 1, 1, 1, 3, 1, 3, 3)))
    study = sf.Study(
        source=source,
        attributes=[sf.quasi_identifying(name, sf.Flat()) for name in ("ward", "shift")],
        engine=WrongTwice(),
    )
    with raises(sf.UnmetError, code="not-verified") as caught:
        study.release({"ward": 0, "shift": 0}, tmp_path / "out.csv")
    faults = str(caught.value).split("promise: ")[1].split("; it was deleted")[0].split("; ")
    assert [fault.split(" is ")[0] for fault in faults] == [
        "class-size-gini",
        "class-size-quantile",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["source.csv"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
def test_an_interrupt_leaves_nothing(
    tmp_path: Path, source: Path, stop: type[BaseException]
) -> None:
    def interrupted(path: Path) -> None:  # noqa: ARG001
        raise stop

    with pytest.raises(stop):
        meddled(source, interrupted).release(LEVELS, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["source.csv"]


def test_what_was_there_stays_if_a_forced_release_fails(tmp_path: Path, source: Path) -> None:
    (tmp_path / "out.csv").write_text("earlier")
    (tmp_path / "out.csv.certificate.json").write_text("earlier certificate")
    with pytest.raises(sf.UnmetError):
        meddled(source, one_row_less).release(LEVELS, tmp_path / "out.csv", force=True)

    def in_the_way(path: Path) -> None:  # noqa: ARG001
        # The last file to be put in place finds a folder there.
        (tmp_path / "out.csv").unlink()
        (tmp_path / "out.csv").mkdir()
        (tmp_path / "out.csv" / "x").touch()

    assert (tmp_path / "out.csv").read_text() == "earlier"
    with raises(sf.ReleaseError, code="unwritable-file"):
        meddled(source, in_the_way).release(
            LEVELS, tmp_path / "out.csv", private_certificate=tmp_path / "p.json", force=True
        )
    assert (tmp_path / "out.csv.certificate.json").read_text() == "earlier certificate"
    assert not (tmp_path / "p.json").exists()
    assert {path.name for path in tmp_path.iterdir()} == {
        "source.csv",
        "out.csv",
        "out.csv.certificate.json",
    }


def test_destinations_are_checked_first(tmp_path: Path, source: Path) -> None:
    study = sf.Study(source=source, attributes=ATTRIBUTES)
    before = source.read_bytes()
    (tmp_path / "there.csv").write_text("mine")
    for destination, code, file in [
        (tmp_path / "there.csv", "already-exists", tmp_path / "there.csv"),
        (tmp_path / "nowhere" / "out.csv", "no-such-folder", tmp_path / "nowhere"),
        (tmp_path / "out.xlsx", "unknown-format", tmp_path / "out.xlsx"),
        (tmp_path, "unknown-format", tmp_path),
        (source, "never-replaced", source),
    ]:
        with raises(sf.ReleaseError, code=code, file=file):
            study.release(LEVELS, destination, force=destination == source)
    with raises(sf.ReleaseError, code="duplicate"):
        study.release(LEVELS, tmp_path / "o.csv", private_certificate=tmp_path / "o.csv")
    assert source.read_bytes() == before
    assert (tmp_path / "there.csv").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"source.csv", "there.csv"}


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc, where nobody can write")  # noqa: PTH112
def test_an_unwritable_folder(source: Path) -> None:
    """Even root, who passes all permissions, cannot make files in /proc."""
    from pathlib import Path

    study = sf.Study(source=source, attributes=ATTRIBUTES)
    with raises(sf.ReleaseError, code="unwritable-file"):
        study.release(LEVELS, Path("/proc/out.csv"))


FULL_DISK = """
import resource, sys
import sfumato as sf
from tests.study.people import ATTRIBUTES
study = sf.Study(source=sys.argv[1], attributes=ATTRIBUTES)
study.count_table
study.evaluate({"age": 1, "zip": 2, "sex": 0})
# From here on no file can grow beyond some bytes: what a full disk does to a writer.
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    study.release({"age": 1, "zip": 2, "sex": 0}, sys.argv[2])
except sf.ReleaseError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_full_disk(tmp_path: Path, source: Path, name: str) -> None:
    people(3000).to_csv(source, index=False)
    own = Path(sf.__file__).parents[1]
    # No compiled module may be cut off by the limit and stay so for others.
    paths = os.pathsep.join((str(Path.cwd()), str(own)))
    said = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(source), str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert "the rows cannot be written: File too large" in said.stdout, said
    assert "person" not in said.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["source.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_told_to_stop_cleans_up(tmp_path: Path, number: signal.Signals) -> None:
    """A real process, stopped while DuckDB is writing some million rows."""
    duckdb.connect().execute(
        f"COPY (SELECT CAST(20 + i % 50 AS VARCHAR) AS age, hash(i) AS load, hash(i + 1) AS more "
        f"FROM range(6000000) AS t(i)) TO '{tmp_path / 'big.parquet'}' (FORMAT parquet)"
    )
    (tmp_path / "study.toml").write_text(
        '[source]\npath = "big.parquet"\nunlisted = "insensitive"\n'
        '[columns.age]\nrole = "quasi-identifying"\nhierarchy = { intervals = [5, 10] }\n'
    )
    run = [sys.executable, "-m", "sfumato"]
    subprocess.run([*run, "search", "study.toml", "-o", "run"], cwd=tmp_path, check=True)
    with subprocess.Popen(
        [*run, "release", "run", "--pick", "k>=2", "-o", "out.csv"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    ) as stopped:
        assert stopped.stderr is not None
        for line in stopped.stderr:
            if "rewriting" in line:
                break
        while not any(tmp_path.glob(".sfumato-*/out.csv")) and stopped.poll() is None:
            time.sleep(0.01)
        stopped.send_signal(number)
        said = stopped.stderr.read()
        assert stopped.wait() == 130, said
    assert "interrupted" in said
    assert {path.name for path in tmp_path.iterdir()} == {"big.parquet", "study.toml", "run"}
    assert list((tmp_path / "run" / "releases").iterdir()) == []


def test_what_changed_since_it_was_counted_is_not_released(tmp_path: Path, source: Path) -> None:
    study = sf.Study(source=source, attributes=ATTRIBUTES)
    assert study.count_table.rows == 80
    people().assign(ssn="123").to_csv(source, index=False)
    with raises(sf.SourceError, code="source-changed"):
        study.release(LEVELS, tmp_path / "out.csv")

    def appended(path: Path) -> None:  # noqa: ARG001
        with source.open("a") as stream:
            stream.write("x,20,24100,F,flu,1,no\n")

    people().to_csv(source, index=False)
    with raises(sf.SfumatoError, code="not-verified"):
        meddled(source, appended).release(LEVELS, tmp_path / "out.csv")

    def renamed(path: Path) -> None:  # noqa: ARG001
        source.write_text(re.sub("^person", "nobody", source.read_text(), flags=re.M))

    # Names are not in the file, which is as it was to be: only the source itself tells.
    people().to_csv(source, index=False)
    with raises(sf.SourceError, code="source-changed"):
        meddled(source, renamed).release(LEVELS, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["source.csv"]


def test_a_column_that_appears_in_memory_is_not_released(tmp_path: Path) -> None:
    table = people()
    study = sf.Study(source=table, attributes=ATTRIBUTES)
    assert study.count_table.rows == 80
    table["ssn"] = "123"
    study.release(LEVELS, tmp_path / "out.csv")
    assert "ssn" not in (tmp_path / "out.csv").read_text()


def test_a_solution_of_another_study_is_refused(tmp_path: Path, source: Path) -> None:
    study = sf.Study(source=source, attributes=ATTRIBUTES)
    solution = study.search().front[3]
    fewer = people().head(60)
    other = sf.Study(source=fewer, attributes=ATTRIBUTES)
    with raises(sf.UnmetError, code="other-metrics", found="3"):
        other.release(solution, tmp_path / "out.csv")


def test_certificates_do_not_land_on_each_other(tmp_path: Path, source: Path) -> None:
    (tmp_path / "sub").mkdir()
    study = sf.Study(source=source, attributes=ATTRIBUTES)
    for private in ("sub/../out.csv.certificate.json", "sub/../out.csv"):
        with raises(sf.ReleaseError, code="duplicate"):
            study.release(
                LEVELS, tmp_path / "out.csv", private_certificate=tmp_path / private, force=True
            )


def test_names_that_no_file_can_have(tmp_path: Path, source: Path) -> None:
    study = sf.Study(source=source, attributes=ATTRIBUTES)
    with raises(sf.ReleaseError, code="not-a-name"):
        study.release(LEVELS, tmp_path / f"{'n' * 245}.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "nowhere.csv")
    study.release(LEVELS, tmp_path / "link.csv", force=True)
    assert not (tmp_path / "link.csv").is_symlink()
