"""The report in a real browser: what a click, a drag, a key and a finger do."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.report.browser import Browser, browser
from tests.report.made_run import HOSTILE_COLUMN, hostile_study, made_run

from sfumato.report.report import write_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLACE = """
const frame = document.querySelector(arguments[0]).getBoundingClientRect();
return [frame.left + frame.width / 2, frame.top + frame.height / 2, frame.width, frame.height];
"""
REQUESTS = ("http:", "https:", "ws:", "wss:", "ftp:", "data:", "blob:")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    runs = {
        "two": made_run(hostile_study()),
        "three": made_run(hostile_study(objectives=("k", "t", "loss"), limit=0.1)),
    }
    front = runs["two"].result.front
    many = tuple(replace(front.solutions[p % len(front)], id=p) for p in range(900))
    runs["many"] = replace(
        runs["two"],
        result=replace(runs["two"].result, front=replace(front, solutions=many)),
        details=tuple(runs["two"].details[p % len(front)] for p in range(900)),
    )
    for name, run in runs.items():
        write_report(run, folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in runs}


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with browser() as session:
        yield session


@pytest.fixture
def page(started: Browser, pages: dict[str, Path]) -> Iterator[Browser]:
    started.resize(1280, 1000)
    started.open(pages["two"])
    started.log("browser")
    yield started
    assert started.log("browser") == []


def place(page: Browser, selector: str) -> tuple[int, int]:
    page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
    x, y, _, _ = page.run(PLACE, selector)
    return round(x), round(y)


def ids_in_view(page: Browser) -> list[int]:
    script = "return [...document.querySelectorAll('#chart .point')].map((p) => +p.dataset.id)"
    return list(page.run(script))


def move(x: int, y: int) -> dict[str, object]:
    return {"type": "pointerMove", "x": x, "y": y, "duration": 0}


DOWN: dict[str, object] = {"type": "pointerDown", "button": 0}
UP: dict[str, object] = {"type": "pointerUp", "button": 0}


def drag(page: Browser) -> None:
    """Draw a rectangle over the middle of the chart."""
    x, y = place(page, "#chart svg")
    _, _, width, height = page.run(PLACE, "#chart svg")
    page.point(
        move(int(x - width / 4), int(y - height / 4)),
        DOWN,
        move(x, y),
        move(int(x + width / 4), int(y + height / 4)),
        UP,
    )


def test_a_click_on_a_point_selects_its_solution(page: Browser) -> None:
    before = page.text("#solution-title")
    page.point(move(*place(page, "#chart [data-id='1']")), DOWN, UP)
    assert page.text("#solution-title") == "Solution 1" != before
    assert "--pick 1 " in page.text("#command")
    assert page.text("#table tr[aria-current] button") == "1"
    data = json.loads(page.text("#data"))
    k = data["solutions"][1]["metrics"][0]
    assert page.text("#metrics tbody tr td:nth-child(3)") == str(k)
    assert page.text("#live").startswith(f"Solution 1: k {k}")


def test_another_click_goes_to_the_next_of_equal_solutions(page: Browser) -> None:
    data = json.loads(page.text("#data"))
    values = [solution["metrics"][:2] for solution in data["solutions"]]
    equal = [place for place, each in enumerate(values) if each == values[-1]]
    assert len(equal) > 1
    at = place(page, f"#chart [data-id='{equal[0]}']")
    for expected in (*equal, equal[0]):
        page.point(move(*at), DOWN, UP)
        assert page.text("#solution-title") == f"Solution {expected}"
    assert page.text(".tooltip").endswith(f"{len(equal)} lie here: click again")


def test_a_drag_zooms_and_reset_shows_all(page: Browser) -> None:
    everything = ids_in_view(page)
    assert page.run("return document.getElementById('zoom-reset').disabled") is True
    drag(page)
    assert 0 < len(ids_in_view(page)) < len(everything)
    page.click("#zoom-reset")
    assert ids_in_view(page) == everything
    assert page.run("return document.getElementById('zoom-reset').disabled") is True


def test_the_wheel_zooms_where_the_pointer_is(page: Browser) -> None:
    everything = len(ids_in_view(page))
    x, y = place(page, "#chart svg")
    page.point(move(x - 3, y), move(x, y))
    for _ in range(8):
        page.wheel(x, y, -200)
    assert len(ids_in_view(page)) < everything
    for _ in range(12):
        page.wheel(x, y, 200)
    assert len(ids_in_view(page)) == everything


def test_buttons_zoom(page: Browser) -> None:
    everything = len(ids_in_view(page))
    page.click("#zoom-in")
    page.click("#zoom-in")
    assert len(ids_in_view(page)) < everything
    page.click("#zoom-out")
    page.click("#zoom-out")
    page.click("#zoom-out")
    assert len(ids_in_view(page)) == everything


def test_hovering_tells_about_a_point(page: Browser) -> None:
    page.point(move(*place(page, "#chart [data-id='0']")))
    assert page.run("return document.querySelector('.tooltip').hidden") is False
    assert page.text(".tooltip").startswith("Solution 0")


def test_keys_move_and_zoom(page: Browser) -> None:
    page.run("document.querySelector('#chart svg').focus()")
    titles = [page.text("#solution-title")]
    for _ in range(3):
        page.press("\ue014")  # right
        titles.append(page.text("#solution-title"))
    assert len(set(titles)) == 4
    for title in reversed(titles[:-1]):
        page.press("\ue012")  # left
        assert page.text("#solution-title") == title
    everything = len(ids_in_view(page))
    page.press("+")
    page.press("+")
    assert len(ids_in_view(page)) < everything
    page.press("0")
    assert len(ids_in_view(page)) == everything
    assert page.run("return document.activeElement.closest('#chart') !== null") is True


def test_sentences_and_rows_select(page: Browser) -> None:
    page.click("#words .sentence")
    end = page.run("return document.querySelector('#words .sentence').dataset.solution")
    assert page.text("#solution-title") == f"Solution {end}"
    page.run("document.querySelector('#table tbody tr:nth-child(2) td').click()")
    assert page.text("#solution-title") == "Solution 1"
    page.click("#neighbours .sentence")
    assert page.text("#solution-title") != "Solution 1"


def test_the_table_sorts(page: Browser) -> None:
    script = "return [...document.querySelectorAll('#table tbody th')].map((e) => +e.textContent)"
    ascending = page.run(script)
    assert ascending == sorted(ascending)
    page.click("#table thead th:first-child button")
    page.click("#table thead th:first-child button")
    assert page.run(script) == ascending[::-1]
    assert page.run("return document.querySelector('[aria-sort]').ariaSort") == "descending"


def test_any_metric_can_be_an_axis(page: Browser) -> None:
    page.run(
        "const axis = document.getElementById('x-axis');"
        "axis.value = [...axis.options].find((o) => o.text === 't').value;"
        "axis.dispatchEvent(new Event('change'));"
    )
    assert page.run("return document.querySelector('.frame .name').textContent").startswith("t (")
    assert len(ids_in_view(page)) > 0


def test_hostile_names_are_texts(page: Browser) -> None:
    assert page.run("return document.querySelectorAll('b, img, a, link').length") == 0
    names = page.run(
        "return [...document.querySelectorAll('.column strong')].map((e) => e.textContent)"
    )
    assert HOSTILE_COLUMN in names


def test_a_finger_selects(page: Browser) -> None:
    page.resize(400, 800)
    at = place(page, "#chart [data-id='0']")
    page.develop("Emulation.setTouchEmulationEnabled", enabled=True)
    page.point(move(*at), DOWN, UP, kind="touch")
    page.develop("Emulation.setTouchEmulationEnabled", enabled=False)
    assert page.text("#solution-title") == "Solution 0"


@pytest.mark.parametrize("width", [400, 768, 1280])
@pytest.mark.parametrize("name", ["two", "three", "many"])
def test_the_page_never_scrolls_sideways(
    page: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    page.resize(width, 900)
    page.open(pages[name])
    wide = page.run("return document.documentElement.scrollWidth")
    assert wide <= width


@pytest.mark.parametrize("name", ["two", "three"])
def test_a_printed_page_holds_everything(page: Browser, pages: dict[str, Path], name: str) -> None:
    page.resize(760, 1000)
    page.open(pages[name])
    page.develop("Emulation.setEmulatedMedia", media="print")
    assert page.run("return document.documentElement.scrollWidth") <= 760
    assert page.run("return getComputedStyle(document.querySelector('.toolbar')).display") == "none"
    tall = "const e = document.querySelector('.tall'); return e.scrollHeight - e.clientHeight"
    assert page.run(tall) <= 1
    page.develop("Emulation.setEmulatedMedia", media="")


def test_many_solutions_come_a_part_at_a_time(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["many"])
    count = "return document.querySelectorAll('#table tbody tr').length"
    assert page.run(count) == 200
    assert page.text("#more") == "Show 200 more of 700"
    page.click("#more")
    assert page.run(count) == 400


def test_no_request_leaves_the_machine(page: Browser, pages: dict[str, Path]) -> None:
    page.log("performance")
    page.open(pages["three"])
    page.click("#zoom-in")
    page.click("#words .sentence")
    sent = [json.loads(entry["message"])["message"] for entry in page.log("performance")]
    asked = [
        message["params"]["request"]["url"]
        for message in sent
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [pages["three"].as_uri()]
    assert page.run("return performance.getEntriesByType('resource').length") == 0


def test_the_policy_stops_what_would_leave(page: Browser) -> None:
    """The policy is in force: a request that a script tries is refused by the browser."""
    blocked = page.run(
        "return new Promise((done) => {"
        " document.addEventListener('securitypolicyviolation', (e) => done(e.violatedDirective));"
        " const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/x.png';"
        " document.body.append(image); });"
    )
    assert blocked == "img-src"
    page.log("browser")  # where the browser tells so
