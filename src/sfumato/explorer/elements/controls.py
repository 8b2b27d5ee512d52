"""Native controls of HTML: buttons, links, fields and choices, each with its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui.elements.mixins.text_element import TextElement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nicegui.element import Element
    from nicegui.events import GenericEventArguments


class Tag(TextElement):
    """An element of HTML with attributes and a text, which is never read as HTML."""

    def __init__(
        self, tag: str, text: str = "", *, kind: str = "", attributes: Mapping[str, object] = {}
    ) -> None:
        """Make an element of some classes."""
        super().__init__(tag=tag, text=text)
        if kind:
            self.classes(kind)
        for name, value in attributes.items():
            if value is not None and value is not False:
                self.props[name] = "" if value is True else value


def button(
    text: str, on_click: Callable[[], object], *, kind: str = "", label: str | None = None
) -> Tag:
    """Return a button; ``label`` is its name where the text does not say enough."""
    made = Tag("button", text, kind=kind, attributes={"type": "button", "aria-label": label})
    made.on("click", lambda: on_click(), args=[])
    return made


def link(text: str, address: str, *, kind: str = "", current: bool = False) -> Tag:
    """Return a link to a page of the explorer."""
    attributes = {"href": address, "aria-current": "page" if current else None}
    return Tag("a", text, kind=kind, attributes=attributes)


def choice(
    label: str,
    options: Mapping[str, str],
    *,
    value: str,
    on_change: Callable[[str], object],
    hidden_label: bool = False,
) -> Tag:
    """Return a choice of one of several values, shown by their texts."""
    with Tag("label", kind="field"):
        Tag("span", label, kind="unseen" if hidden_label else "what")
        made = Tag("select")
        with made:
            for each, text in options.items():
                Tag("option", text, attributes={"value": each, "selected": each == value})
    _on_value(made, "change", on_change)
    return made


def text_field(
    label: str,
    *,
    value: str = "",
    on_change: Callable[[str], object],
    hint: str = "",
    kind: str = "text",
    placeholder: str = "",
) -> Tag:
    """Return a field for a line of text, told when it is left or Enter is pressed."""
    with Tag("label", kind="field"):
        Tag("span", label, kind="what")
        made = Tag(
            "input",
            attributes={
                "type": kind,
                "value": value,
                "placeholder": placeholder or None,
                "autocomplete": "off",
                "spellcheck": "false",
            },
        )
        if hint:
            Tag("span", hint, kind="hint")
    _on_value(made, "change", on_change)
    return made


def check(label: str, *, value: bool, on_change: Callable[[bool], object]) -> Tag:
    """Return a box to check."""
    with Tag("label", kind="check"):
        made = Tag("input", attributes={"type": "checkbox", "checked": value})
        Tag("span", label)
    made.on(
        "change",
        lambda event: on_change(bool(_argument(event))),
        js_handler="(event) => emit(event.target.checked)",
    )
    return made


def _on_value(made: Element, event: str, on_change: Callable[[str], object]) -> None:
    made.on(
        event,
        lambda arguments: on_change(str(_argument(arguments))),
        js_handler="(event) => emit(event.target.value)",
    )


def _argument(event: GenericEventArguments) -> object:
    return event.args[0] if isinstance(event.args, list) else event.args


def cells(values: Sequence[str], *, tag: str = "td") -> None:
    """Fill a row of a table with texts."""
    for value in values:
        Tag(tag, value)
