"""A part of the report inside a page of the explorer, drawn by the report's own scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui.element import Element

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from sfumato.report.page import PagePart


class ReportPart(Element, component="report_part.js"):
    """A part of the report, which tells which solution is selected."""

    def __init__(
        self,
        shown: PagePart,
        *,
        solution: int | None = None,
        on_select: Callable[[GenericEventArguments], None] | None = None,
    ) -> None:
        """Put a part of the report here, with a solution selected."""
        super().__init__()
        self.props["body"] = shown.html(main="div")
        self.props["styles"] = shown.style
        self.props["script"] = shown.script
        self.props["data"] = shown.json
        self.props["solution"] = solution
        if on_select is not None:
            self.on("select", on_select)
