"""The page of the study file: its text, as an editor would show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, button
from sfumato.explorer.pages.frame import framed

if TYPE_CHECKING:
    from sfumato.explorer.workplace import Workplace


def study_page(workplace: Workplace) -> None:
    """Serve the page of the study file."""

    @ui.page("/study")
    def study() -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, "Study file", place="/study") as page:
            Tag(
                "p",
                f"{workplace.opened} is the only description of the study: what these pages "
                "change is changed here, and the command line repeats it.",
                kind="hint",
            )
            text = workplace.text
            with Tag("label", kind="field wide"):
                Tag("span", "Text of the study file", kind="what")
                area = Tag(
                    "textarea",
                    text,
                    attributes={"rows": min(60, text.count("\n") + 3), "spellcheck": "false"},
                )
            edited = {"text": text}
            area.on(
                "input",
                lambda event: edited.update(text=str(event.args)),
                js_handler="(event) => emit(event.target.value)",
                throttle=0.3,
            )

            def save() -> None:
                workplace.rewrite(edited["text"])
                ui.navigate.reload()

            button("Save", page.guarded(save), kind="primary")
            Tag("h2", "The same on the command line")
            commands = (
                f"sfumato search {workplace.opened}\n"
                f"sfumato front {workplace.opened.with_suffix('')}-run"
            )
            with Tag("pre"):
                Tag("code", commands)
