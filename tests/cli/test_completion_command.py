"""``sfumato completion``: what the scripts offer, asked of the shells that are installed."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from sfumato.cli.command import commands
from sfumato.cli.main import main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def offered(script: str, *words: str) -> set[str]:
    """Return what bash offers for the last of the words."""
    listed = " ".join(f"'{word}'" for word in ("sfumato", *words))
    asked = f"COMP_WORDS=({listed}); COMP_CWORD={len(words)}; _sfumato; echo ${{COMPREPLY[@]}}"
    ran = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    return set(ran.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash(capsys: pytest.CaptureFixture[str]) -> None:
    text = script("bash", capsys)
    assert offered(text, "") == {command.name for command in commands()}
    assert offered(text, "re") == {"release", "report", "reproduce"}
    assert offered(text, "audit", "t.csv", "--q") == {"--quasi", "--quote", "--quiet"}
    assert {"--pick", "--output", "--help"} <= offered(text, "release", "--")
    assert offered(text, "completion", "z") == {"zsh"}
    # Where files are meant, the shell completes them itself.
    assert offered(text, "search", "st") == set()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_can_read_their_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    for command in commands():
        assert command.name in text
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=text, text=True, check=True)
