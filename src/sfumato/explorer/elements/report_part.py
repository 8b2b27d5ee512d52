"""A part of the report inside a page of the explorer, drawn by the report's own scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui.element import Element

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from sfumato.report.report import ReportBody


class ReportPart(Element, component="report_part.js"):
    """The body of a report, which tells which solution is selected."""

    def __init__(
        self,
        shown: ReportBody,
        *,
        solution: int | None,
        on_select: Callable[[GenericEventArguments], None],
    ) -> None:
        """Put a part of the report here, with a solution selected."""
        super().__init__()
        self.props["body"] = shown.body
        self.props["styles"] = shown.style
        self.props["script"] = shown.script
        self.props["data"] = shown.data
        self.props["solution"] = solution
        self.on("select", on_select)
