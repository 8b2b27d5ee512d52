"""The page of a front: the report of its run, with a way from every solution to a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, button
from sfumato.explorer.elements.report_part import ReportPart
from sfumato.explorer.pages.frame import elsewhere, framed
from sfumato.explorer.pages.run_choice import run_choice
from sfumato.report.report import report_part
from sfumato.views.run.report_computing import compute_report

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from sfumato.explorer.workplace import Workplace


def front_page(workplace: Workplace) -> None:
    """Serve the page of a front."""

    @ui.page("/front")
    async def front(run: str = "", solution: int | None = None) -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, "Front", place="/front") as page:
            name = run_choice(page, run, address="/front")
            if name is None:
                return
            selected: dict[str, int | None] = {"id": solution}
            with Tag("p", kind="line"):
                button(
                    "Release this solution",
                    lambda: ui.navigate.to(f"/release?run={name}&solution={selected['id']}"),
                    kind="primary",
                )
                button(
                    "Compare it with another",
                    lambda: ui.navigate.to(f"/compare?run={name}&first={selected['id']}"),
                )
            await ui.context.client.connected()
            try:
                data = await elsewhere(lambda: compute_report(workplace.run(name)))
            except Exception as error:
                page.fail(error)
                return
            if solution is None or not 0 <= solution < len(data.solutions):
                selected["id"] = data.chosen

            def select(event: GenericEventArguments) -> None:
                selected["id"] = int(event.args)
                ui.navigate.history.replace(f"/front?run={name}&solution={selected['id']}")

            ReportPart(report_part(data), solution=selected["id"], on_select=select)
