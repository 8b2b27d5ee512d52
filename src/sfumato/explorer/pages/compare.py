"""The page that compares two solutions, person by person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, choice
from sfumato.explorer.elements.report_part import ReportPart
from sfumato.explorer.pages.frame import elsewhere, framed
from sfumato.explorer.pages.run_choice import run_choice
from sfumato.report.comparison import comparison_part
from sfumato.views.comparison_data import compute_comparison
from sfumato.views.run.run_view import source_name
from sfumato.views.run.solution_view import solution_name

if TYPE_CHECKING:
    from sfumato.explorer.workplace import Workplace
    from sfumato.study.runs.run import Run
    from sfumato.views.comparison_data import ComparisonData


def compare_page(workplace: Workplace) -> None:
    """Serve the page of comparisons."""

    @ui.page("/compare")
    async def compare(run: str = "", first: int | None = None, second: int | None = None) -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, "Compare", place="/compare") as page:
            name = run_choice(page, run, address="/compare")
            if name is None:
                return
            await ui.context.client.connected()
            try:
                found = await elsewhere(lambda: workplace.run(name))
                left = found.opening().solution.id if first is None else first
                options = {str(each.id): solution_name(found, each) for each in found.result.front}
                _choices(name, options, left, second)
                if second is None:
                    Tag("p", "Choose the second solution.", kind="hint")
                    return
                waiting = Tag("p", "Comparing every record …", kind="hint")
                data = await elsewhere(lambda: _compared(found, left, second))
                waiting.delete()
            except Exception as error:
                page.fail(error)
                return
            ReportPart(comparison_part(data))


def _choices(name: str, options: dict[str, str], first: int, second: int | None) -> None:
    with Tag("div", kind="fields"):
        choice(
            "First solution",
            options,
            value=str(first),
            on_change=lambda chosen: ui.navigate.to(
                f"/compare?run={name}&first={chosen}"
                + ("" if second is None else f"&second={second}")
            ),
        )
        choice(
            "Second solution",
            {"": "choose one"} | options if second is None else options,
            value="" if second is None else str(second),
            on_change=lambda chosen: ui.navigate.to(
                f"/compare?run={name}&first={first}&second={chosen}"
            ),
        )


def _compared(run: Run, first: int, second: int) -> ComparisonData:
    run.check_source()
    front = run.result.front
    found = run.study_file.study.compare(front[first], front[second])
    return compute_comparison(found, source=source_name(run))
