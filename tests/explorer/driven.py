"""An explorer that runs, and a browser that uses it as a person would: by clicks and keys."""

from __future__ import annotations

import contextlib
import csv
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.report.browser import ELEMENT, Browser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PATIENCE = 240
"""How many times a page is looked at, four times a second, before a test gives up."""


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """A running explorer: its process, and the addresses that it has shown."""

    process: subprocess.Popen[str]
    shown: list[str]

    @property
    def origin(self) -> str:
        found = re.match(r"(http://[^/]+)", self.shown[0])
        assert found is not None
        return found[1]


@contextlib.contextmanager
def explorer(*words: str, folder: Path) -> Iterator[Explorer]:
    """Start an explorer in a folder, and interrupt it at the end as Ctrl-C does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sfumato", "explore", *words, "--no-browser"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # NiceGUI behaves otherwise under pytest, and users have none.
        env={name: value for name, value in os.environ.items() if "PYTEST" not in name},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert "http://" in line, line + process.stdout.read()
        yield Explorer(process=process, shown=[line.split()[-1]])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)
        process.stdout.close()


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who looks at a page, clicks on what it says, and types."""

    page: Browser
    origin: str

    def goes(self, address: str) -> None:
        where = address if address.startswith("http") else f"{self.origin}{address}"
        self.page.ask("POST", "/url", {"url": where})

    def waits_for(self, script: str, *arguments: object) -> Any:
        """Wait until a script returns something that is true."""
        for _ in range(PATIENCE):
            with contextlib.suppress(OSError):  # the page is changing
                found = self.page.run(script, *arguments)
                if found:
                    return found
            time.sleep(0.25)
        text = self.page.run("return document.body.innerText")
        raise AssertionError(f"waited in vain for {script!r} {arguments!r}; the page says:\n{text}")

    def sees(self, text: str) -> None:
        """Wait until the page shows a text."""
        self.waits_for("return document.body.innerText.includes(arguments[0])", text)

    def element(self, kind: str, name: str) -> str:
        """Return the control of a kind whose name is, or begins with, a text."""
        script = """
          const [kind, name] = arguments;
          const named = (e) => (e.getAttribute('aria-label')
            ?? e.labels?.[0]?.querySelector('.what, span')?.textContent ?? e.textContent).trim();
          const found = [...document.querySelectorAll(kind)].filter((e) => !e.disabled
            && e.offsetParent !== null);
          return found.find((e) => named(e) === name)
            ?? found.find((e) => named(e).startsWith(name));
        """
        return str(self.waits_for(script, kind, name)[ELEMENT])

    def clicks(self, kind: str, name: str) -> None:
        for _ in range(3):
            with contextlib.suppress(OSError):  # the page was just made anew
                self.page.ask("POST", f"/element/{self.element(kind, name)}/click")
                return
            time.sleep(0.5)
        self.page.ask("POST", f"/element/{self.element(kind, name)}/click")

    def types(self, name: str, text: str) -> None:
        """Replace what a field holds, and press Enter."""
        field = self.element("input, textarea", name)
        whole = "\ue009a\ue000"  # Ctrl and a, and nothing held any more
        self.page.ask("POST", f"/element/{field}/value", {"text": f"{whole}{text}\ue007"})

    def chooses(self, name: str, option: str) -> None:
        """Choose the option of a choice whose text begins so."""
        select = self.element("select", name)
        self.page.ask("POST", f"/element/{select}/value", {"text": option})


def visits(path: Path, *, rows: int = 600, seed: int = 5, ages: Sequence[int] = (20, 90)) -> None:
    """Write a small table of visits with names in it."""
    draw = random.Random(seed)
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["patient", "age", "zip", "ward", "diagnosis"])
        for number in range(rows):
            table.writerow(
                [
                    f"P{number:05d}",
                    draw.randint(*ages),
                    draw.choice(["1010", "1020", "2340", "2500"]),
                    draw.choice(["surgery", "oncology", "cardiology", "ENT"]),
                    draw.choice(["flu", "asthma", "cancer", "angina"]),
                ]
            )
