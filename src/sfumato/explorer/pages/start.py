"""The first page: a file to open, or the demo's hospital."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.datasets.hospital import write_hospital
from sfumato.errors import SettingsError
from sfumato.explorer.elements.controls import Tag, button, link, text_field
from sfumato.explorer.pages.frame import Page, elsewhere, framed
from sfumato.study.runs.run_files import is_run_folder

if TYPE_CHECKING:
    from sfumato.explorer.workplace import Workplace

DATA = (".csv", ".tsv", ".txt", ".gz", ".parquet", ".duckdb", ".toml")
MOST_LISTED = 200


def start_page(workplace: Workplace) -> None:
    """Serve the first page."""

    @ui.page("/")
    def start(folder: str = "") -> None:
        with framed(workplace, "Open a table") as page:
            Tag(
                "p",
                "Choose a file with one row for each record, a study file, or a run folder. "
                "Nothing leaves this machine, and the file is never changed.",
            )
            _chosen(page, Path(folder) if folder else workplace.home)
            _demo(page)


def _chosen(page: Page, folder: Path) -> None:
    with Tag("section", attributes={"aria-labelledby": "files-title"}):
        Tag("h2", "On this machine", attributes={"id": "files-title"})

        async def open_path(text: str) -> None:
            await _open(page, Path(text).expanduser())

        text_field(
            "Path of a file",
            on_change=lambda text: page.guarded(lambda: open_path(text))(),
            placeholder=str(folder / "patients.csv"),
            hint="Press Enter to open it.",
        )
        Tag("h3", f"In {folder}")
        with Tag("ul", kind="files"):
            for name, address, path in _entries(folder):
                with Tag("li"):
                    if path is None:
                        link(name, address)
                    else:
                        button(name, page.guarded(partial(_open, page, path)), kind="plain")


def _entries(folder: Path) -> list[tuple[str, str, Path | None]]:
    """Return the folders, as links, and what can be opened."""
    try:
        entries = sorted(folder.iterdir(), key=lambda each: (each.is_file(), each.name.lower()))
    except OSError as error:
        raise SettingsError.unreadable(folder, error) from None
    found: list[tuple[str, str, Path | None]] = [("..", f"/?folder={folder.parent}", None)]
    for each in entries:
        if each.name.startswith("."):
            continue
        if is_run_folder(each):
            found.append((f"{each.name} (run)", "", each))
        elif each.is_dir():
            found.append((f"{each.name}/", f"/?folder={each}", None))
        elif each.suffix.lower() in DATA:
            found.append((each.name, "", each))
    return found[:MOST_LISTED]


def _demo(page: Page) -> None:
    with Tag("section", attributes={"aria-labelledby": "demo-title"}):
        Tag("h2", "Just look around", attributes={"id": "demo-title"})
        Tag("p", "Synthetic discharges of a hospital, made on this machine, with a study of them.")

        async def open_demo() -> None:
            folder = page.workplace.home / "sfumato-demo"
            files = await elsewhere(lambda: write_hospital(folder))
            await _open(page, files.study)

        button("Open the demo's hospital", page.guarded(open_demo))


async def _open(page: Page, path: Path) -> None:
    page.say(f"Opening {path.name}.")
    await elsewhere(lambda: page.workplace.open(path))
    ui.navigate.to("/data")
