"""The page of a front: the report of its run, with a way from every solution to a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, button, choice
from sfumato.explorer.elements.report_part import ReportPart
from sfumato.explorer.pages.frame import elsewhere, framed
from sfumato.report.report import report_part

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
            names = workplace.run_names()
            if not names:
                Tag("p", "There is no run yet: search first.")
                return
            name = run or names[0]
            with Tag("div", kind="line toolbar"):
                choice(
                    "Run",
                    {each: each for each in names},
                    value=name,
                    on_change=lambda chosen: ui.navigate.to(f"/front?run={chosen}"),
                )
                chosen = {"id": solution}
                button(
                    "Release this solution",
                    lambda: ui.navigate.to(f"/release?run={name}&solution={chosen['id']}"),
                    kind="primary",
                )
            await ui.context.client.connected()
            try:
                found = await elsewhere(lambda: workplace.run(name))
                shown = await elsewhere(lambda: report_part(found))
            except Exception as error:  # noqa: BLE001 - shown on the page
                page.fail(error)
                return
            chosen["id"] = shown.chosen if solution is None else solution

            def selected(event: GenericEventArguments) -> None:
                chosen["id"] = int(event.args)
                ui.navigate.history.replace(f"/front?run={name}&solution={chosen['id']}")

            ReportPart(shown, solution=solution, on_select=selected)
