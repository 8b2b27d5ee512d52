"""What goes wrong on a real machine is an error that a user can act on, never an internal one."""

from __future__ import annotations

import errno
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.study.study_files import write_people

from sfumato.cli.main import main
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SourceError
from sfumato.sources.source import CsvFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

CAPTURE = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study, its run and a release."""
    folder = tmp_path_factory.mktemp("searched")
    study = write_people(folder)
    run, out = folder / "run", folder / "out.csv"
    assert main(["search", str(study), "-o", str(run), "--quiet"]) == 0
    private = ["--private-certificate", str(folder / "private.json")]
    assert main(["release", str(run), "--pick", "1", "-o", str(out), "--quiet", *private]) == 0
    return folder


def error_of(command: list[str], capsys: CAPTURE) -> dict[str, object]:
    """Return the fields of the error with which a command ends."""
    capsys.readouterr()
    assert main([*command, "--json"]) == 1
    fields: dict[str, object] = json.loads(capsys.readouterr().out)["error"]
    return fields


def no_space(*_: object, **__: object) -> object:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("name", ["public.json", "private.json", "codebook", "spill"])
def test_a_disk_that_is_full_while_certifying(
    name: str, searched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CAPTURE
) -> None:
    def full(called: Callable[..., object]) -> Callable[..., object]:
        def asked(self: Path, *args: object, **kwargs: object) -> object:
            return no_space() if self.name == name else called(self, *args, **kwargs)

        return asked

    monkeypatch.setattr(Path, "write_text", full(Path.write_text))
    monkeypatch.setattr(Path, "mkdir", full(Path.mkdir))
    out = tmp_path / "out.csv"
    book = ["--codebook", str(tmp_path / "book.json")]
    command = ["release", str(searched / "run"), "--pick", "1", "-o", str(out), *book]
    fields = error_of(command, capsys)
    assert (fields["code"], fields["where"]) == ("unwritable-file", {"file": str(out)})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_for_temporary_files_that_is_full(
    searched: Path, monkeypatch: pytest.MonkeyPatch, capsys: CAPTURE
) -> None:
    monkeypatch.setattr(tempfile, "mkdtemp", no_space)
    fields = error_of(["evaluate", str(searched / "study.toml")], capsys)
    assert fields["code"] == "unwritable-file"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MemoryError(), "out-of-memory"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "out-of-memory"),
        (OSError("libllvmlite.so: failed to map segment from shared object"), "out-of-memory"),
        (RuntimeError("can't start new thread"), "out-of-memory"),
        (OSError(errno.ENOSPC, "No space left on device"), "unwritable-file"),
    ],
)
def test_too_little_of_something_anywhere(
    error: Exception,
    code: str,
    searched: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: CAPTURE,
) -> None:
    def lacking(*_: object, **__: object) -> object:
        raise error

    monkeypatch.setattr(Study, "search", lacking)
    command = ["search", str(searched / "study.toml"), "-o", str(tmp_path / "run")]
    assert error_of(command, capsys)["code"] == code
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_for_duckdb(tmp_path: Path, capsys: CAPTURE) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n" + "".join(f"{n},{n * 7919 % 100_003}\n" for n in range(200_000)))
    engine = DuckDBEngine(memory_limit="1MB", threads=1)
    with raises(SourceError, code="out-of-memory", file=path):
        engine.count(CsvFile(path=path), ["a", "b"])
    assert capsys.readouterr().err == ""


DEEP = 100_000


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'[' * DEEP}{']' * DEEP}",
        "a = " + "{a = " * 5_000 + "1" + "}" * 5_000,
        ".".join(["a"] * 20_000) + " = 1",
        "[" + ".".join(["columns"] * 20_000) + "]\nrole = 1",
        "[source]\npath = " + "[" * 150 + "]" * 150,
    ],
)
def test_toml_that_is_nested_deep(text: str, tmp_path: Path, capsys: CAPTURE) -> None:
    study = tmp_path / "study.toml"
    study.write_text(text)
    fields = error_of(["search", str(study)], capsys)
    assert (fields["code"], fields["where"]) == ("nested-too-deep", {"file": str(study)})
    (tmp_path / "people.csv").write_text("a,b\n1,x\n2,y\n")
    command = ["init", str(tmp_path / "people.csv"), "-o", str(study), "--force"]
    assert main([*command, "--quiet"]) in (0, 1)


@pytest.mark.parametrize("text", ["[" * DEEP, '{"a":' * DEEP, "[" * 500 + "]" * 500])
def test_json_that_is_nested_deep(
    text: str, searched: Path, tmp_path: Path, capsys: CAPTURE
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(text)
    audit = ["audit", str(searched / "out.csv"), str(searched / "study.toml")]
    fields = error_of([*audit, "--private-certificate", str(broken)], capsys)
    assert fields["code"] == "not-a-certificate"
    run = tmp_path / "run"
    run.mkdir()
    for name in ("run.json", "front.json"):
        (run / name).write_text(text)
    for command in (["front", str(run)], ["release", str(run), "--pick", "0", "-o", "out.csv"]):
        assert error_of(command, capsys)["code"] == "broken-run-folder"


@pytest.mark.parametrize("level", [99, -1, 10**30])
def test_a_private_certificate_with_a_level_that_does_not_exist(
    level: int, searched: Path, tmp_path: Path, capsys: CAPTURE
) -> None:
    content = json.loads((searched / "private.json").read_text())
    content["chosen"]["levels"] = dict.fromkeys(content["chosen"]["levels"], level)
    for column in content["recoding"].values():
        column["level"] = level
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(content))
    audit = ["audit", str(searched / "out.csv"), str(searched / "study.toml")]
    fields = error_of([*audit, "--private-certificate", str(changed)], capsys)
    assert fields["code"] in ("other-study", "broken-certificate")
