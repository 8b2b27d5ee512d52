"""The page of a release: what is promised, then writing and verifying it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, button, cells, check, choice, text_field
from sfumato.explorer.pages.frame import Page, elsewhere, framed
from sfumato.explorer.pages.run_choice import run_choice
from sfumato.study.runs.run_release import release_from_run
from sfumato.views.release_view import release_view
from sfumato.views.run.solution_view import solution_name
from sfumato.views.texts import metric_text

if TYPE_CHECKING:
    from sfumato.explorer.workplace import Workplace
    from sfumato.front.decisions.picking import Pick
    from sfumato.study.runs.run import Run
    from sfumato.views.release_view import ReleaseView


def release_page(workplace: Workplace) -> None:
    """Serve the page of releases."""

    @ui.page("/release")
    async def release(run: str = "", solution: int | None = None) -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, "Release", place="/release") as page:
            name = run_choice(page, run, address="/release")
            if name is None:
                return
            await ui.context.client.connected()
            try:
                found = await elsewhere(lambda: workplace.run(name))
                picked = found.pick(None if solution is None else str(solution))
            except Exception as error:
                page.fail(error)
                return
            _form(page, found, picked)


def _form(page: Page, run: Run, picked: Pick) -> None:
    with Tag("section", attributes={"aria-labelledby": "what-title"}):
        Tag("h2", "What is released", attributes={"id": "what-title"})
        Tag("p", f"{picked.reason}.")
        with Tag("div", kind="fields"):
            choice(
                "Solution",
                {str(each.id): solution_name(run, each) for each in run.result.front},
                value=str(picked.solution.id),
                on_change=lambda chosen: ui.navigate.to(
                    f"/release?run={run.folder.name}&solution={chosen}"
                ),
            )
            wished = {"path": str(run.folder.parent / "released.csv"), "force": False}
            text_field(
                "File to write",
                value=str(wished["path"]),
                on_change=lambda text: wished.update(path=text),
                hint=".csv, .tsv, .csv.gz or .parquet, outside the run folder",
            )
            check(
                "replace an earlier release there",
                value=False,
                on_change=lambda value: wished.update(force=value),
            )

        async def write() -> None:
            stages.clear()
            with stages:
                shown = Tag("p", "Starting …", kind="note")

            def stage(text: str) -> None:
                shown.text = f"{text} …"

            made = await elsewhere(
                lambda: release_from_run(
                    run,
                    picked.solution,
                    Path(str(wished["path"])).expanduser(),
                    force=bool(wished["force"]),
                    stage=stage,
                )
            )
            stages.clear()
            with stages:
                _written(release_view(picked, made))
            page.say("The release is written and verified.")

        async def guarded() -> None:
            start.props["disabled"] = True
            try:
                await write()
            except Exception as error:
                stages.clear()
                page.fail(error)
            start.props["disabled"] = False

        start = button("Write and verify", guarded, kind="primary")
    stages = Tag("div", attributes={"aria-live": "polite"})


def _written(view: ReleaseView) -> None:
    with Tag("section", attributes={"aria-labelledby": "written-title"}):
        Tag("h2", "Written and verified", attributes={"id": "written-title"})
        Tag(
            "p",
            f"{view.file}: {view.rows:,} rows, {view.suppressed:,} suppressed. "
            f"{len(view.verified)} metrics and all rows were recomputed from the written file.",
        )
        for warning in view.warnings:
            Tag("p", warning, kind="private")
        with Tag("ul"):
            for text in (
                f"{view.certificate}: the public certificate, goes with the data",
                f"{view.private_certificate}: the private certificate, keep it",
            ):
                Tag("li", text)
        button("Download the file", lambda: ui.download.file(view.file))
        button("Download its certificate", lambda: ui.download.file(view.certificate))
        with Tag("div", kind="scroll"), Tag("table"):
            with Tag("thead"), Tag("tr"):
                cells(("metric", "whole table", "rows in the file"), tag="th")
            with Tag("tbody"):
                for name, value in view.values.items():
                    shown = view.released_rows.get(name)
                    with Tag("tr"):
                        cells(
                            (name, metric_text(value), "" if shown is None else metric_text(shown))
                        )
        if view.findings:
            Tag("h3", "What was found before")
            with Tag("ul"):
                for finding in view.findings:
                    Tag("li", f"{finding.message}. {finding.remedy}")
