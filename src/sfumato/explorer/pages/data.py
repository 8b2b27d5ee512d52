"""The page of the data: every column, what it holds, its role, and what to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.errors import SfumatoError
from sfumato.explorer.elements.controls import Tag, button, check, choice, text_field
from sfumato.explorer.pages.frame import Page, elsewhere, framed
from sfumato.microdata.roles import Role
from sfumato.report.risk_sections import identifying_chart
from sfumato.risk.identifying.column_subsets import most_identifying
from sfumato.risk.identifying.counted_cells import CountedCells
from sfumato.study.file.column_edit import person_change, role_changes
from sfumato.views.columns_view import ColumnsView, columns_view
from sfumato.views.finding_view import finding_views

if TYPE_CHECKING:
    from sfumato.explorer.workplace import Workplace
    from sfumato.views.columns_view import SourceColumnView

ROLES = {
    "identifying": "identifying: not released",
    "quasi-identifying": "quasi-identifying: generalized",
    "sensitive": "sensitive: must not be learnt",
    "insensitive": "insensitive: released as it is",
}


def data_page(workplace: Workplace) -> None:
    """Serve the page of the data."""

    @ui.page("/data")
    async def data() -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, workplace.opened.name, place="/data") as page:
            waiting = Tag("p", "Looking at the columns …", kind="hint")
            await ui.context.client.connected()
            view = await elsewhere(
                lambda: columns_view(workplace.study_file(), workplace.proposal())
            )
            waiting.delete()
            _columns(page, view)
            _policy(page)
            _findings(page)
            await _identifying(page)


def _columns(page: Page, view: ColumnsView) -> None:
    with Tag("section", attributes={"aria-labelledby": "columns-title"}):
        Tag("h2", "Columns", attributes={"id": "columns-title"})
        Tag("p", f"{view.source}: {view.rows:,} rows. {view.summary}", kind="hint")
        with Tag("ul", kind="columns"):
            for column in view.columns:
                with Tag("li", kind=f"card {column.role}"):
                    _column(page, column)


def _column(page: Page, column: SourceColumnView) -> None:
    with Tag("div", kind="line"):
        Tag("h3", column.name)
        Tag("span", column.holds, kind="note")
    Tag("p", column.why, kind="hint")
    for remark in column.remarks:
        Tag("p", remark, kind="remark")
    with Tag("div", kind="line"):

        def set_role(role: str) -> None:
            changes = role_changes(
                page.workplace.text, column.name, Role(role), hierarchy=column.proposed_hierarchy
            )
            if page.edit(*changes, told=f"{column.name} is {role} now."):
                ui.navigate.reload()

        choice(f"Role of {column.name}", ROLES, value=column.role, on_change=set_role)
        if column.role in {"identifying", "quasi-identifying"}:
            check(
                "tells who a row is about",
                value=column.person,
                on_change=lambda value: page.edit(*person_change(column.name, person=value)),
            )
        if column.examples:
            shown = Tag("span", kind="labels")
            shown.visible = False
            with shown:
                for example in column.examples:
                    Tag("code", example)

            def show() -> None:
                shown.visible = not shown.visible

            button("Values", show, label=f"Show frequent values of {column.name}")


def _policy(page: Page) -> None:
    study = page.workplace.study_file().study
    with Tag("section", attributes={"aria-labelledby": "policy-title"}):
        Tag("h2", "Policy", attributes={"id": "policy-title"})
        Tag(
            "p",
            "Nothing is released that misses it, and a search looks among recodings that meet it.",
            kind="hint",
        )

        def set_policy(text: str) -> None:
            required = [each.strip() for each in text.split(",") if each.strip()]
            page.edit((("release", "require"), required or None), told="The policy was changed.")

        text_field(
            "Every class of a release must meet",
            value=", ".join(map(str, study.required)),
            on_change=set_policy,
            hint="Like k>=5, distinct-l>=2",
        )


def _findings(page: Page) -> None:
    with Tag("section", attributes={"aria-labelledby": "findings-title"}):
        Tag("h2", "What to look at", attributes={"id": "findings-title"})
        with Tag("div") as place:
            Tag("p", "Not looked for yet.", kind="hint")

        async def look() -> None:
            place.clear()
            with place:
                Tag("p", "Looking …", kind="hint")
            file = page.workplace.study_file()
            found = await elsewhere(
                lambda: finding_views(file.study.findings(escape_formulas=file.escape_formulas))
            )
            place.clear()
            with place:
                if not found:
                    Tag("p", "Nothing was found that needs a decision.")
                with Tag("ul", kind="findings"):
                    for finding in found:
                        with Tag("li", kind=finding.severity.value):
                            Tag("strong", finding.message)
                            Tag("span", f" {finding.remedy}", kind="note")
            page.say(f"{len(found)} findings.")

        button("Look for what needs a decision", page.guarded(look))


async def _identifying(page: Page) -> None:
    """Show how many rows the quasi-identifiers and their combinations single out."""
    with Tag("section", attributes={"aria-labelledby": "identifying-title"}):
        Tag("h2", "How identifying the columns are", attributes={"id": "identifying-title"})
        Tag(
            "p",
            "The share of rows that a column, or a combination, singles out: whoever knows these "
            "values finds the row.",
            kind="hint",
        )
        waiting = Tag("p", "Counting …", kind="hint")
        try:
            chart = await elsewhere(lambda: _chart(page.workplace))
        except Exception as error:
            waiting.text = str(error) if isinstance(error, SfumatoError) else "It failed."
            return
        waiting.delete()
        ui.html(chart, sanitize=False)


def _chart(workplace: Workplace) -> str:
    table = workplace.study_file().study.count_table
    return identifying_chart(most_identifying(CountedCells.of_table(table)))
