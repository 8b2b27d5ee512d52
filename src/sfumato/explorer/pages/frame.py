"""The frame of every page: where one is, what can be undone, and a place for errors."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from nicegui import ui

from sfumato.errors import SfumatoError
from sfumato.explorer.elements.controls import Tag, button, link
from sfumato.pages.frame import part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.explorer.workplace import Workplace

_T = TypeVar("_T")

STEPS = (
    ("Data", "/data"),
    ("Hierarchies", "/hierarchies"),
    ("Search", "/search"),
    ("Front", "/front"),
    ("Compare", "/compare"),
    ("Release", "/release"),
    ("Study file", "/study"),
)
"""The steps of the workflow, and the page of each."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page that is being shown: its place for errors, and how it is told things."""

    workplace: Workplace
    alert: Tag
    live: Tag

    def fail(self, error: Exception) -> None:
        """Show an error: what is wrong and what would work, never more than that."""
        known = isinstance(error, SfumatoError)
        self.alert.text = str(error) if known else f"internal error ({type(error).__name__})"
        self.alert.visible = True

    def say(self, text: str) -> None:
        """Tell readers of the screen what has happened."""
        self.live.text = text
        self.alert.visible = False

    def guarded(self, act: Callable[[], object]) -> Callable[[], object]:
        """Return an action whose errors the page shows."""

        async def guarded() -> None:
            try:
                found = act()
                if inspect.isawaitable(found):
                    await found
            except Exception as error:
                self.fail(error)

        return guarded

    def edit(self, *changes: tuple[tuple[str, ...], object], told: str = "") -> bool:
        """Change the study file, and say whether that could be done."""
        try:
            self.workplace.edit(*changes)  # type: ignore[arg-type]
        except SfumatoError as error:
            self.fail(error)
            return False
        self.say(told or "The study file was changed.")
        return True


async def elsewhere(act: Callable[[], _T]) -> _T:
    """Do in a thread what takes long, so that other pages go on."""
    return await asyncio.to_thread(act)


@contextmanager
def framed(workplace: Workplace, title: str, *, place: str = "") -> Iterator[Page]:
    """Make a page with its head, and put into its main part what is made inside."""
    ui.page_title(f"{title} – sfumato")
    ui.add_head_html(f"<style>{part('sfumato.pages', 'page.css')}</style>")
    ui.add_head_html(f"<style>{part('sfumato.report', 'risk.css')}</style>")
    ui.add_head_html(f"<style>{part('sfumato.explorer', 'explorer.css')}</style>")
    ui.query(".nicegui-content").classes("explorer")
    Tag("a", "Skip to the content", kind="skip", attributes={"href": "#content"})
    with Tag("header", kind="bar"):
        link("sfumato", "/", kind="brand")
        if workplace.is_open:
            with Tag("nav", attributes={"aria-label": "Steps"}):
                for name, address in STEPS:
                    link(name, address, current=address == place)
            with Tag("div", kind="tools"):
                _history(workplace)
    # NiceGUI puts every page into a main element already.
    with Tag("div", kind="content", attributes={"id": "content", "tabindex": "-1"}):
        Tag("h1", title)
        alert = Tag("p", kind="alert", attributes={"role": "alert"})
        alert.visible = False
        live = Tag("p", kind="unseen", attributes={"aria-live": "polite"})
        yield Page(workplace=workplace, alert=alert, live=live)


def _history(workplace: Workplace) -> None:
    def step(act: Callable[[], None]) -> None:
        act()
        ui.navigate.reload()

    undo = button("Undo", lambda: step(workplace.undo))
    undo.props["disabled"] = not workplace.can_undo
    redo = button("Redo", lambda: step(workplace.redo))
    redo.props["disabled"] = not workplace.can_redo
