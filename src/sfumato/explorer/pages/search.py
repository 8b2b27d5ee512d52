"""The page of searches: what is searched, how far a search is, and where it can go on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.explorer.elements.controls import Tag, button, choice, link, text_field
from sfumato.explorer.pages.frame import Page, elsewhere, framed
from sfumato.search.catalogue import search_methods
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.explorer.searches.job import SearchJob
    from sfumato.explorer.workplace import Workplace
    from sfumato.study.runs.run import Run

SPACES = {
    "lattice": "global: levels of the hierarchies",
    "partitions": "partitions: domains cut anywhere",
    "local": "local: labels that differ from class to class",
    "lattice,local": "global and local, on one front",
    "lattice,partitions,local": "all three, on one front",
}
SECONDS_BETWEEN = 0.3


def search_page(workplace: Workplace) -> None:
    """Serve the page of searches."""

    @ui.page("/search")
    async def search() -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, "Search", place="/search") as page:
            _settings(page)
            listed = ui.refreshable(_runs)
            _searches(page, ended=listed.refresh)
            await ui.context.client.connected()
            await listed(page)


def _settings(page: Page) -> None:
    file = page.workplace.study_file()
    study = file.study
    with Tag("section", attributes={"aria-labelledby": "settings-title"}):
        Tag("h2", "What to search", attributes={"id": "settings-title"})
        Tag("p", "Every choice is written to the study file at once.", kind="hint")
        with Tag("div", kind="fields"):
            spaces = ",".join(space.value for space in study.spaces)
            choice(
                "Recodings",
                {spaces: spaces} | SPACES if spaces not in SPACES else SPACES,
                value=spaces,
                on_change=lambda chosen: _set_space(page, chosen),
            )
            choice(
                "Method",
                {"auto": "auto: the best one for the space"}
                | {name: name for name in search_methods() if name != "auto"},
                value=file.search.method,
                on_change=lambda name: page.edit((("search", "method"), name)),
            )
            text_field(
                "Objectives",
                value=", ".join(map(str, study.objectives)),
                on_change=lambda text: page.edit((("search", "objectives"), _words(text))),
                hint="'sfumato measures' lists all",
            )
            text_field(
                "Rows that may be suppressed",
                value=f"{study.suppression.limit or 0:g}",
                on_change=lambda text: _set_limit(page, text),
                hint="a share, like 0.01, or a number of rows",
            )


def _words(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _set_space(page: Page, chosen: str) -> None:
    names = chosen.split(",")
    page.edit((("search", "space"), names[0] if len(names) == 1 else names))
    assert all(name in set(Space) for name in names)


def _set_limit(page: Page, text: str) -> None:
    try:
        limit = float(text) if "." in text else int(text)
    except ValueError:
        page.fail(ValueError("limit"))
        return
    if limit == 0:
        page.edit((("suppression",), {"policy": "none"}))
    else:
        page.edit((("suppression", "policy"), "limit"), (("suppression", "limit"), limit))


def _searches(page: Page, *, ended: Callable[[], object]) -> None:
    with Tag("section", attributes={"aria-labelledby": "running-title"}):
        Tag("h2", "Searches", attributes={"id": "running-title"})

        def start() -> None:
            name = page.workplace.new_run_name()
            page.workplace.search(name)
            page.say(f"The search into {name} has started.")
            shown.refresh()

        button("Start a search", page.guarded(start), kind="primary")

        @ui.refreshable
        def shown() -> None:
            jobs = list(page.workplace.jobs.items())
            for name, job in reversed(jobs):
                _job(page, name, job, ended=ended)

        shown()


def _job(page: Page, name: str, job: SearchJob, *, ended: Callable[[], object]) -> None:
    with Tag("div", kind="job", attributes={"role": "group", "aria-label": f"Search {name}"}):
        with Tag("div", kind="line"):
            Tag("strong", name)
            state = Tag("span", kind="note")
        bar = Tag("progress", attributes={"max": 1, "aria-label": f"Progress of {name}"})
        with Tag("div", kind="line"):
            stop = button("Stop", job.stop)
            open_front = link("Open the front", f"/front?run={name}", kind="action")

        def tell() -> None:
            progress = job.progress
            state.text = _state(job)
            if progress.share is not None:
                bar.props["value"] = round(progress.share, 4)
            stop.visible = job.running
            open_front.visible = progress.phase in {"finished", "stopped"}
            bar.visible = job.running
            if not job.running:
                timer.deactivate()
                page.say(f"{name}: {_state(job)}")
                ended()

        timer = ui.timer(SECONDS_BETWEEN, tell)
        tell()


def _state(job: SearchJob) -> str:
    progress = job.progress
    if progress.error:
        return f"failed: {progress.error}"
    share = f", {progress.share:.0%}" if progress.share is not None and job.running else ""
    evaluated = f", {progress.evaluated:,} evaluated" if progress.evaluated else ""
    front = f", front of {progress.front:,}" if progress.front else ""
    return f"{progress.phase}{share}{evaluated}{front}, {job.seconds:.0f} s"


async def _runs(page: Page) -> None:
    names = page.workplace.run_names()
    with Tag("section", attributes={"aria-labelledby": "runs-title"}):
        Tag("h2", "Runs", attributes={"id": "runs-title"})
        if not names:
            Tag("p", "No search has ended yet.", kind="hint")
        for name in names:
            with Tag("div", kind="line"):
                link(name, f"/front?run={name}")
                note = Tag("span", kind="note")
                try:
                    found = await elsewhere(partial(page.workplace.run, name))
                except Exception as error:
                    note.text = str(error)
                    continue
                note.text = _run_text(found)
                if found.result.state is not None and not found.result.finished:
                    button("Resume", page.guarded(partial(_resume, page, name)))


def _resume(page: Page, name: str) -> None:
    page.workplace.search(name, resume=True)
    ui.navigate.reload()


def _run_text(run: Run) -> str:
    state = "" if run.result.finished else ", stopped"
    kind = "exact" if run.result.exact else "best found"
    return (
        f"{len(run.result.front):,} solutions, {kind}{state}, {run.created[:16].replace('T', ' ')}"
    )
