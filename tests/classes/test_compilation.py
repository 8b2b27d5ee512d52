from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from sfumato.classes import compilation
from sfumato.classes.compilation import load_kernels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Let the kernels be loaded anew, before and after a test."""
    load_kernels.cache_clear()
    yield
    load_kernels.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_slow_loading_is_announced_on_stderr_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    announced = threading.Event()
    announce = compilation._announce

    def announce_and_tell() -> None:
        announce()
        announced.set()

    def slow_import(name: str) -> ModuleType:
        assert announced.wait(60)
        return ModuleType(name)

    monkeypatch.setattr(compilation, "_PATIENCE_IN_SECONDS", 0.001)
    monkeypatch.setattr(compilation, "_announce", announce_and_tell)
    monkeypatch.setattr(importlib, "import_module", slow_import)
    assert load_kernels().__name__ == "sfumato.classes.kernels"
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("sfumato: loading its kernels")
    assert shown.err.count("\n") == 1


@pytest.mark.usefixtures("forgetful")
def test_quick_loading_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = threading.active_count()
    monkeypatch.setattr(compilation, "_PATIENCE_IN_SECONDS", 3600.0)
    load_kernels()
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(60)
    assert threading.active_count() <= before, "no timer is left behind"


@pytest.mark.usefixtures("forgetful")
def test_a_failure_while_loading_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_import(name: str) -> ModuleType:
        raise ImportError(f"{name} is broken")

    monkeypatch.setattr(importlib, "import_module", broken_import)
    with pytest.raises(ImportError, match="is broken"):
        load_kernels()
    monkeypatch.undo()
    assert hasattr(load_kernels(), "group_tables")


def test_the_kernels_are_loaded_once() -> None:
    assert load_kernels() is load_kernels()


REPORT = """
import json
from sfumato.classes.compilation import load_kernels
kernels = load_kernels()
print(json.dumps({
    name: [
        sum(getattr(kernels, name).stats.cache_hits.values()),
        sum(getattr(kernels, name).stats.cache_misses.values()),
        len(getattr(kernels, name).signatures),
    ]
    for name in kernels.__all__
}))
"""


def start(cache: Path | None = None) -> dict[str, tuple[int, int, int]]:
    """Load the kernels in a new process: hits, misses and signatures of every kernel."""
    own = {} if cache is None else {"NUMBA_CACHE_DIR": str(cache)}
    found = subprocess.run(
        [sys.executable, "-c", REPORT],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=True,
    )
    return {name: tuple(numbers) for name, numbers in json.loads(found.stdout).items()}


def test_a_start_after_this_one_compiles_nothing() -> None:
    kernels = load_kernels()
    found = start()
    assert set(found) == set(kernels.__all__)
    for hits, misses, signatures in found.values():
        assert (hits, misses) == (signatures, 0)


@pytest.mark.slow
def test_the_second_start_compiles_nothing(tmp_path: Path) -> None:
    first = start(tmp_path)
    assert set(first) == set(load_kernels().__all__)
    for hits, misses, signatures in first.values():
        assert (hits, misses) == (0, signatures)
    second = start(tmp_path)
    for hits, misses, signatures in second.values():
        assert (hits, misses) == (signatures, 0)
    assert sum(signatures for _, _, signatures in second.values()) <= 8, "few signatures"
