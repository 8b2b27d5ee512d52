"""The choice of a run on the pages that show one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, choice, link

if TYPE_CHECKING:
    from sfumato.explorer.pages.frame import Page


def run_choice(page: Page, asked: str, *, address: str) -> str | None:
    """Show the choice of a run, and return the one to show: the newest unless one is asked for."""
    names = page.workplace.run_names()
    if not names:
        Tag("p", "There is no run yet.")
        link("Start a search", "/search", kind="action")
        return None
    name = asked if asked in names else names[0]
    choice(
        "Run",
        {each: each for each in names},
        value=name,
        on_change=lambda chosen: ui.navigate.to(f"{address}?run={chosen}"),
    )
    return name
