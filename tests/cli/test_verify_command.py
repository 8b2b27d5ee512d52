"""``sfumato verify`` by its exit code, its JSON and what a person reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.release.certified import edited, released, rows_of, write_rows

from sfumato.cli.exit_codes import (
    DONE,
    INTERNAL_ERROR,
    INTERRUPTED,
    NOT_MET,
    VERIFIED,
    WRONG_INPUT,
    WRONG_USAGE,
)
from sfumato.cli.main import main
from sfumato.cli.signing_key import VARIABLE
from sfumato.release.received.release_check import Fault

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def given(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "out.csv", released(tmp_path).certificate_path


def test_every_fault_has_an_exit_code_of_its_own() -> None:
    assert list(VERIFIED) == [fault.value for fault in Fault]
    others = (DONE, WRONG_INPUT, WRONG_USAGE, NOT_MET, INTERNAL_ERROR, INTERRUPTED)
    assert len({*VERIFIED.values(), *others}) == len(VERIFIED) + len(others)


def spoil(file: Path, certificate: Path, fault: str) -> None:
    rows = rows_of(file)
    if fault == "changed-file":
        rows[1][rows[0].index("illness")] = "plague"
        write_rows(file, rows)
    elif fault == "other-rows":
        write_rows(file, rows[:-1])
    elif fault == "other-columns":
        write_rows(file, [row[:-1] for row in rows])
    elif fault == "other-version":
        edited(certificate, lambda content: content.update(kind="sfumato public certificate 9"))
    elif fault == "broken-certificate":
        edited(certificate, lambda content: content["metrics"].update(k=9999))
    elif fault == "other-metrics":
        edited(certificate, lambda content: content["metrics"].update(t=0.01))


FAULTS = (
    "other-version",
    "broken-certificate",
    "other-columns",
    "other-rows",
    "changed-file",
    "other-metrics",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_told_apart(
    given: tuple[Path, Path], capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    spoil(*given, fault)
    capsys.readouterr()
    command = ["verify", *map(str, given)]
    assert main([*command, "--json"]) == VERIFIED[fault]
    said = json.loads(capsys.readouterr().out)
    assert said["verdict"] == fault == said["faults"][0]["code"]
    assert main(command) == VERIFIED[fault]
    shown = capsys.readouterr().out
    assert f"FAULT      {fault}: {said['faults'][0]['message']}" in shown
    assert "is intact" not in shown


def test_signatures(
    given: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, certificate = given
    own, others = tmp_path / "own.key", tmp_path / "others.key"
    assert main(["key", str(own)]) == DONE
    monkeypatch.setenv(VARIABLE, "correct horse")
    assert main(["key", str(others), "--passphrase"]) == DONE
    assert main(["key", str(own)]) == WRONG_INPUT
    assert own.stat().st_mode & 0o777 == 0o600
    assert b"ENCRYPTED" in others.read_bytes()
    command = ["verify", str(file), str(certificate), "--json"]

    def verdict(key: Path | None, code: int) -> tuple[str, str]:
        capsys.readouterr()
        asked = [] if key is None else ["--public-key", f"{key}.pub"]
        assert main([*command, *asked]) == code
        said = json.loads(capsys.readouterr().out)
        return said["verdict"], said["signature"]

    assert verdict(None, DONE) == ("intact", "none")
    assert verdict(own, VERIFIED["not-signed"]) == ("not-signed", "none")
    assert main(["sign", str(certificate), "--key", str(own)]) == DONE
    assert main(["sign", str(certificate), "--key", str(own)]) == WRONG_INPUT
    assert verdict(None, DONE) == ("intact", "not-checked")
    assert verdict(own, DONE) == ("intact", "valid")
    assert verdict(others, VERIFIED["other-key"]) == ("other-key", "other-key")
    monkeypatch.setenv(VARIABLE, "wrong")
    assert main(["sign", str(certificate), "--key", str(others), "--force"]) == WRONG_INPUT
    assert verdict(own, DONE) == ("intact", "valid")
    monkeypatch.setenv(VARIABLE, "correct horse")
    assert main(["sign", str(certificate), "--key", str(others), "--force"]) == DONE
    assert verdict(own, VERIFIED["other-key"]) == ("other-key", "other-key")
    assert verdict(others, DONE) == ("intact", "valid")
    edited(certificate, lambda content: content["metrics"].update(t=0.01))
    edit = ("edited-certificate", "does-not-fit")
    assert verdict(others, VERIFIED["edited-certificate"]) == edit
    assert verdict(None, VERIFIED["edited-certificate"]) == edit


def test_an_intact_release(given: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", *map(str, given)]) == DONE
    shown = capsys.readouterr().out
    assert "is intact" in shown
    assert "FAULT" not in shown
    assert main(["verify", *map(str, given), "--json"]) == DONE
    said = json.loads(capsys.readouterr().out)
    assert said["verdict"] == "intact"
    assert said["compared"]["k"]["same"] is True
    # What the file does not show is never among what was found to agree.
    assert not set(said["compared"]) & set(said["not_shown"])


def test_the_command_of_the_certificate(
    given: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, certificate = given
    monkeypatch.chdir(file.parent)
    said = json.loads(certificate.read_text())["how_to_check"].split()
    assert main(said[1:]) == DONE
