"""The explorer in a real browser: from a raw file to a verified release, by clicks and keys."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.explorer.driven import Explorer, Person, explorer, visits
from tests.report.browser import browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    visits(tmp_path / "visits.csv")
    return tmp_path


@pytest.fixture
def running(folder: Path) -> Iterator[Explorer]:
    with explorer("visits.csv", folder=folder) as started:
        yield started


@pytest.fixture
def person(running: Explorer) -> Iterator[Person]:
    with browser() as page:
        page.resize(1280, 900)
        somebody = Person(page=page, origin=running.origin)
        somebody.goes(running.shown[0])
        somebody.sees("Columns")
        yield somebody


def searched(person: Person) -> None:
    person.goes("/search")
    person.clicks("button", "Start a search")
    person.clicks("a", "Open the front")
    person.sees("Trade-off between privacy and information loss")


def test_a_raw_file_becomes_a_verified_release(person: Person, folder: Path) -> None:
    person.sees("identifying: most rows have a value of their own")
    searched(person)
    person.clicks("button", "Release this solution")
    person.clicks("button", "Write and verify")
    person.sees("Written and verified")
    text = (folder / "released.csv").read_text()
    assert not re.search(r"P\d{5}", text)
    assert (folder / "released.csv.certificate.json").exists()


def test_a_hierarchy_that_is_edited_is_in_the_next_front(person: Person, folder: Path) -> None:
    person.goes("/hierarchies?column=ward&level=0")
    person.sees("Blocks of level 0")
    person.goes("/hierarchies?column=ward&level=1")
    person.sees("Blocks of level 1")
    person.clicks("a", "level 1")
    person.types("Weight", "2")
    # The page is made anew with what the study file says now.
    person.waits_for(
        "return [...document.querySelectorAll('input')]"
        ".some((e) => e.getAttribute('value') === '2')"
    )
    person.goes("/hierarchies?column=ward&level=1")
    person.sees("Blocks of level 1")
    assert "weight = 2" in (folder / "visits-study.toml").read_text()
    blocks = person.page.run("return [...document.querySelectorAll('.blocks input')].length")
    assert blocks >= 2
    for name in person.page.run(
        "return [...document.querySelectorAll('.blocks label')].slice(0, 2)"
        ".map((e) => e.textContent.trim())"
    ):
        person.clicks("input[type=checkbox]", name)
    person.types("Label", "merged wards")
    person.clicks("button", "Merge the chosen blocks")
    person.sees("merged wards")
    assert 'hierarchy = "hierarchies/ward.csv"' in (folder / "visits-study.toml").read_text()
    person.clicks("button", "Undo")
    person.waits_for("return !document.body.innerText.includes('merged wards')")
    person.clicks("button", "Redo")
    person.sees("merged wards")
    searched(person)
    kept = json.loads((folder / "visits-study-run" / "run.json").read_text())
    assert "merged wards" in json.dumps(kept) or "merged wards" in (
        folder / "visits-study-run" / "study.toml"
    ).read_text() + "".join(
        path.read_text() for path in (folder / "visits-study-run").rglob("*.csv")
    )


def test_a_policy_that_nothing_meets_says_so(person: Person, folder: Path) -> None:
    person.types("Every class of a release must meet", "k>=700")
    person.goes("/search")
    person.clicks("button", "Start a search")
    person.sees("failed")
    assert 'require = ["k>=700"]' in (folder / "visits-study.toml").read_text()
    assert not (folder / "visits-study-run").exists()


def test_a_second_release_that_shows_too_much_is_refused(person: Person, folder: Path) -> None:
    searched(person)
    for solution, name in ((0, "first.csv"), (1, "second.csv")):
        person.goes(f"/release?run=visits-study-run&solution={solution}")
        person.types("File to write", str(folder / name))
        person.clicks("button", "Write and verify")
        if solution == 0:
            person.sees("Written and verified")
    person.waits_for("return document.querySelector('[role=alert]')?.innerText.includes('joint')")
    assert (folder / "first.csv").exists()
    assert not (folder / "second.csv").exists()


def test_a_setting_that_cannot_be_is_refused_and_leaves_the_file(
    person: Person, folder: Path
) -> None:
    before = (folder / "visits-study.toml").read_text()
    person.types("Every class of a release must meet", "k>=five")
    person.waits_for("return document.querySelector('[role=alert]')?.innerText.includes('k>=five')")
    assert (folder / "visits-study.toml").read_text() == before


def test_two_tabs_and_a_reload_see_the_same_search(person: Person) -> None:
    person.goes("/search")
    person.clicks("button", "Start a search")
    person.sees("visits-study-run")
    person.page.ask("POST", "/refresh")
    person.sees("visits-study-run")
    first = person.page.ask("GET", "/window")
    second = person.page.ask("POST", "/window/new", {"type": "tab"})["handle"]
    person.page.ask("POST", "/window", {"handle": second})
    person.goes("/search")
    person.clicks("a", "Open the front")
    person.sees("Trade-off")
    person.page.ask("POST", "/window", {"handle": first})
    person.clicks("a", "Open the front")
    person.sees("Trade-off")


def test_no_request_leaves_the_machine(person: Person, running: Explorer) -> None:
    searched(person)
    person.goes("/hierarchies")
    person.sees("Levels")
    asked = {
        message["params"]["request"]["url"]
        for entry in person.page.log("performance")
        if (message := json.loads(entry["message"])["message"])["method"]
        == "Network.requestWillBeSent"
    }
    assert asked
    elsewhere = {
        url for url in asked if not url.startswith((running.origin, "data:", "blob:", "chrome:"))
    }
    assert elsewhere == set()


def test_another_browser_is_not_let_in(running: Explorer, person: Person) -> None:
    with browser() as other:
        stranger = Person(page=other, origin=running.origin)
        stranger.goes("/data")
        stranger.sees("This browser is not signed in")
        stranger.goes(running.shown[0])  # the token was used by the first browser
        stranger.sees("This browser is not signed in")
    person.goes("/data")
    person.sees("Columns")
