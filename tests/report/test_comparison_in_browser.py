"""The page of a comparison in a real browser: what a click and a pointer do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import Browser, browser
from tests.report.made_run import HOSTILE_COLUMN, hostile_study
from tests.report.test_comparison_page import hostile_comparison
from tests.report.test_report_in_browser import PLACE, move, place
from tests.views.test_comparison_data import COARSE, FINE

from sfumato.report.comparison import write_comparison

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("comparisons")
    study = hostile_study()
    top = {"age": 4, HOSTILE_COLUMN: 2, "zip": 5}
    made = {
        "hostile": hostile_comparison(),
        "same": study.compare(FINE, FINE, properties="class-size"),
        "dominated": study.compare(COARSE, top, comparators=["coverage", "min"]),
    }
    for name, comparison in made.items():
        write_comparison(comparison, folder / f"{name}.html", source="patients.csv", by="illness")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with browser() as session:
        yield session


@pytest.fixture
def page(started: Browser, pages: dict[str, Path]) -> Iterator[Browser]:
    started.resize(1280, 1000)
    started.open(pages["hostile"])
    started.log("browser")
    yield started
    assert started.log("browser") == []


def data_of(page: Browser) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.text("#data"))
    return found


def number_of(page: Browser, selector: str) -> int:
    return int(page.run("return document.querySelectorAll(arguments[0]).length", selector))


def test_a_click_chooses_a_property(page: Browser) -> None:
    data = data_of(page)
    properties = data["properties"]
    assert isinstance(properties, list)
    assert page.text("#property-title") == "class-size"
    for number, one in enumerate(properties):
        page.click(f"[data-property='{number}']")
        assert page.text("#property-title") == one["name"]
        assert page.text("#summary") == one["summary"] == page.text("#live")
        assert page.text("[aria-pressed='true'] strong") == one["name"]
        assert number_of(page, "#verdict-table tbody tr") == len(one["verdicts"])
        assert page.text("#verdict-table tbody .words") == one["verdicts"][0]["sentence"]
        for chart in ("sorted", "individuals"):
            assert number_of(page, f"#{chart} .line-a") == 1
            assert number_of(page, f"#{chart} .line-b") == 1
            path = page.run(
                "return document.querySelector(arguments[0]).getAttribute('d')",
                f"#{chart} .line-a",
            )
            assert "NaN" not in path
        bins = [*one["histogram"]["worse"], *one["histogram"]["better"]]
        unchanged = 1 if one["histogram"]["unchanged"] else 0
        assert number_of(page, "#gains [data-bar]") == len(bins) + unchanged


def test_hovering_over_curves_tells_both_values(page: Browser) -> None:
    for chart in ("sorted", "individuals"):
        page.point(move(*place(page, f"#{chart} svg")))
        hidden = page.run(
            "return document.querySelector(arguments[0]).hidden", f"#{chart} .tooltip"
        )
        assert hidden is False
        told = page.text(f"#{chart} .tooltip")
        assert told.startswith("at ")
        assert "${B}: " in told
        inside = page.run(
            "const [tip, all] = [...arguments].map((s) => "
            "document.querySelector(s).getBoundingClientRect());"
            "return tip.left >= all.left - 1 && tip.right <= all.right + 1;",
            f"#{chart} .tooltip",
            f"#{chart}",
        )
        assert inside is True


def test_hovering_over_a_bar_tells_its_rows(page: Browser) -> None:
    one = data_of(page)["properties"][1]  # type: ignore[index]
    assert one["name"] == "class-size"
    bars = [
        *(each["rows"] for each in reversed(one["histogram"]["worse"])),
        *([one["histogram"]["unchanged"]] if one["histogram"]["unchanged"] else []),
        *(each["rows"] for each in one["histogram"]["better"]),
    ]
    for number, rows in enumerate(bars):
        page.point(move(*place(page, f"#gains [data-bar='{number}']")))
        assert page.text("#gains .tooltip").startswith(f"{rows} record")
        assert number_of(page, "#gains .bar-here") == 1


def choose(page: Browser, choice: str, value: int) -> None:
    page.run(
        "const list = document.getElementById(arguments[0]); list.value = String(arguments[1]);"
        "list.dispatchEvent(new Event('change'));",
        choice,
        value,
    )


def test_individuals_can_be_ordered_by_the_other(page: Browser) -> None:
    line = "return document.querySelector('#individuals .line-a').getAttribute('d')"
    before = page.run(line)
    assert "ordered by <b>A" in page.text("#individuals-text")
    choose(page, "order", 1)
    assert "ordered by ${B}" in page.text("#individuals-text")
    assert page.run(line) != before


def test_groups_of_any_column(page: Browser) -> None:
    data = data_of(page)
    assert page.text("#group-table thead th") == "illness"
    for number, column in enumerate(data["columns"]):  # type: ignore[arg-type, var-annotated]
        choose(page, "by", number)
        assert page.text("#group-table thead th") == column
        groups = data["properties"][1]["groups"][number]  # type: ignore[index]
        assert number_of(page, "#group-table tbody tr") == len(groups)
        untold = any(None in (g["better_off"], g["worse_off"], g["unchanged"]) for g in groups)
        assert (number_of(page, "#group-table .untold") > 0) is untold
        assert bool(page.text("#groups-note")) is untold


def test_hostile_names_are_texts(page: Browser) -> None:
    assert number_of(page, "b, img, a, link") == 0
    assert page.text("h1 .a-name").startswith("<b>A & 'co'</b></script>")


def test_keys_reach_the_properties(page: Browser) -> None:
    page.run("document.querySelector('[data-property=\"0\"]').focus()")
    page.press("\ue007")  # enter
    assert page.text("#property-title") == "breach-probability"


def test_a_finger_tells_about_a_bar(page: Browser) -> None:
    page.resize(400, 800)
    at = place(page, "#gains [data-bar='0']")
    page.develop("Emulation.setTouchEmulationEnabled", enabled=True)
    page.point(
        move(*at), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
        kind="touch",
    )  # fmt: skip
    page.develop("Emulation.setTouchEmulationEnabled", enabled=False)
    assert "better off in" in page.text("#gains .tooltip")


@pytest.mark.parametrize("width", [400, 768, 1280])
@pytest.mark.parametrize("name", ["hostile", "same", "dominated"])
def test_the_page_never_scrolls_sideways(
    page: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    page.resize(width, 900)
    page.open(pages[name])
    for number in range(number_of(page, "[data-property]")):
        page.click(f"[data-property='{number}']")
        assert page.run("return document.documentElement.scrollWidth") <= width


def test_charts_follow_the_width(page: Browser) -> None:
    before = page.run(PLACE, "#sorted svg")[2]
    page.resize(900, 900)
    page.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.run(PLACE, "#sorted svg")[2] != before


def test_a_printed_page_holds_everything(page: Browser) -> None:
    page.resize(760, 1000)
    page.develop("Emulation.setEmulatedMedia", media="print")
    assert page.run("return document.documentElement.scrollWidth") <= 760
    page.develop("Emulation.setEmulatedMedia", media="")


def test_no_request_leaves_the_machine(page: Browser, pages: dict[str, Path]) -> None:
    page.log("performance")
    page.open(pages["dominated"])
    page.click("[data-property='0']")
    sent = [json.loads(entry["message"])["message"] for entry in page.log("performance")]
    asked = [
        message["params"]["request"]["url"]
        for message in sent
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [pages["dominated"].as_uri()]
    assert page.run("return performance.getEntriesByType('resource').length") == 0
