from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from types import ModuleType
from typing import TYPE_CHECKING

import numba
import pytest

from sfumato.classes.compilation import announced, load_kernels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Let the kernels be loaded anew, before and after a test."""
    load_kernels.cache_clear()
    yield
    load_kernels.cache_clear()


def test_compilation_is_announced_once_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compiling_import(name: str) -> ModuleType:
        # Numba imports modules of its own while it compiles.
        monkeypatch.undo()
        for module in ("somebody.elses", name, name):

            def one(value: int) -> int:
                return value + 3

            one.__module__ = module
            numba.njit(numba.int64(numba.int64))(one)
        return ModuleType(name)

    kernels = announced("made.up", "its kernels", "up to a minute")
    monkeypatch.setattr(importlib, "import_module", compiling_import)
    assert kernels.load("fast").__name__ == "made.up.fast"
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "sfumato: compiling its kernels, once on this machine (up to a minute)\n"


@pytest.mark.usefixtures("forgetful")
def test_loading_from_the_cache_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    load_kernels()
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


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
        sum(getattr(kernels, name).load().stats.cache_hits.values()),
        sum(getattr(kernels, name).load().stats.cache_misses.values()),
        len(getattr(kernels, name).load().signatures),
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
    for name in kernels.__all__:
        getattr(kernels, name).load()
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
    assert sum(signatures for _, _, signatures in second.values()) <= 12, "few signatures"


_WITH_LITTLE_ROOM = """
import resource, sys
from pathlib import Path

import numpy
from sfumato.classes.compilation import load_kernels

used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
limit = used + int(sys.argv[1]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    load_kernels()
except MemoryError:
    print("too little memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of addresses are those of Linux")
@pytest.mark.parametrize("megabytes", [20, 90, 160, 200, 230, 260])
def test_too_few_addresses_for_the_libraries_are_an_error_at_once(megabytes: int) -> None:
    """Some amounts let LLVM be loaded, and OpenBLAS wait for ever for what is missing."""
    done = subprocess.run(
        [sys.executable, "-c", _WITH_LITTLE_ROOM, str(megabytes)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("too little memory\n", 0)
