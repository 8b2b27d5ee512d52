"""Members are found by name, in sfumato and in other packages, which may be broken."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.compare.catalogue import comparator
from sfumato.errors import SettingsError
from sfumato.measures.catalogue import MEASURES, every_measure, measure, measure_names
from sfumato.plugins.offers import Origin, _all_offers, origin_of, plugins_among, refuse_plugins
from sfumato.search.catalogue import SEARCHES, method_named, search_methods
from sfumato.testing.small_tables import small_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEASURE = """
from dataclasses import dataclass
from typing import ClassVar
from sfumato.measures.privacy.k import K

@dataclass(frozen=True, kw_only=True)
class Own(K):
    "A measure of another package, whose annotations are no strings."
    name: ClassVar[str] = {name!r}
    share: float = 0.5
    least: int | None = None
"""
SEARCH = """
from sfumato.search.catalogue import SearchMethod
from sfumato.search.methods.sweep import sweep

def again(problem, *, control):
    return sweep(problem, control=control)

METHOD = SearchMethod(name="again", summary="the sweep again", search=again)
"""


class OtherPackages:
    """Packages in a folder of the import path, as pip leaves them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, package: str, group: str, name: str, attribute: str, source: str) -> None:
        """Install version 1.5 of a package: one module with one entry point."""
        module = package.replace("-", "_")
        (self.folder / f"{module}.py").write_text(source, encoding="utf-8")
        metadata = self.folder / f"{module}-1.5.dist-info"
        metadata.mkdir()
        head = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n"
        (metadata / "METADATA").write_text(head, encoding="utf-8")
        entry = f"[{group}]\n{name} = {module}:{attribute}\n"
        (metadata / "entry_points.txt").write_text(entry, encoding="utf-8")
        _all_offers.cache_clear()

    def measure(self, package: str, name: str, *, source: str = "", called: str = "") -> None:
        """Install a package with a measure."""
        text = source or MEASURE.format(name=called or name)
        self.add(package, "sfumato.measures", name, "Own", text)


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OtherPackages]:
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield OtherPackages(tmp_path)
    for name in set(sys.modules) - before:
        if not name.startswith("sfumato."):
            del sys.modules[name]
    _all_offers.cache_clear()


def test_built_in_names_import_no_other_package(others: OtherPackages) -> None:
    others.measure("quiet-one", "own")
    assert str(measure("k")) == "k"
    assert "own" in measure_names()
    assert "own" not in {m.name for m in every_measure(small_tables()[0])}
    assert "quiet_one" not in sys.modules
    assert str(measure("own(share=0.25, least=3)")) == "own(share=0.25, least=3)"
    assert "quiet_one" in sys.modules


def test_origins(others: OtherPackages) -> None:
    others.measure("disclosure-extras", "own")
    found = measure("own")
    extras = Origin(package="disclosure-extras", version="1.5")
    assert origin_of(found) == origin_of(type(found)) == extras
    assert origin_of(measure("k")) == Origin(package="sfumato", version=sf.__version__)
    assert method_named("sweep").origin.built_in
    assert plugins_among([measure("k"), found, method_named("auto")]) == {"own": extras}
    refuse_plugins([measure("k"), comparator("mean"), method_named("auto")])
    with raises(SettingsError, code="plug-in", found="'own' (of disclosure-extras 1.5)"):
        refuse_plugins([measure("k"), found])


def test_what_is_in_no_package_is_named_by_its_module() -> None:
    class Here:
        pass

    assert origin_of(Here()) == Origin(package=Here.__module__.partition(".")[0])
    assert not origin_of(Here()).built_in


def test_a_search_of_another_package(others: OtherPackages) -> None:
    others.add("more-searches", "sfumato.searches", "again", "METHOD", SEARCH)
    assert "again" not in search_methods()
    assert "again" in SEARCHES.names()
    assert str(method_named("again").origin) == "more-searches 1.5"


def test_two_packages_with_one_name(others: OtherPackages) -> None:
    others.measure("first-one", "own")
    others.measure("second-one", "own")
    others.measure("third-one", "other")
    with raises(SettingsError, code="taken-name", found="first-one 1.5 and second-one 1.5"):
        measure("own")
    assert measure("other").name == "other"
    found = MEASURES.all()
    assert "other" in found.members
    assert "own" not in found.members
    (problem,) = found.problems
    assert "2 packages have a measure 'own'" in problem


def test_a_built_in_name_is_taken(others: OtherPackages) -> None:
    others.measure("bold-one", "k")
    packages = f"sfumato {sf.__version__} and bold-one 1.5"
    with raises(SettingsError, code="taken-name", found=packages):
        measure("k")
    assert measure("weighted-k").name == "weighted-k"
    found = MEASURES.all()
    assert found.members["k"].__module__ == "sfumato.measures.privacy.k"
    assert len(found.problems) == 1


@pytest.mark.parametrize(
    ("source", "called", "found"),
    [
        ("import no_such_module", "", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)", "", "SystemExit: 3"),
        ("Other = 3", "", "AttributeError: module 'broken' has no attribute 'Own'"),
        ("Own = 3", "", "broken:Own"),
        ("from sfumato.measures.measure import Measure as Own", "", "broken:Own"),
        ("", "another", "'another'"),
    ],
)
def test_a_broken_package_is_named_and_harms_no_other(
    others: OtherPackages, source: str, called: str, found: str
) -> None:
    others.measure("broken", "own", source=source, called=called)
    others.measure("sound-one", "other")
    with raises(SettingsError, code="broken-package", found=found) as caught:
        measure("own")
    assert "the measure 'own' of package broken 1.5" in str(caught.value)
    listing = MEASURES.all()
    assert listing.members["other"].name == "other"
    assert [problem for problem in listing.problems if "of package broken 1.5" in problem]
    with raises(SettingsError, code="unknown-measure", found="'owm'", suggestion="own"):
        measure("owm")


def test_broken_packages_are_a_warning_of_the_listing(
    others: OtherPackages, capsys: pytest.CaptureFixture[str]
) -> None:
    from sfumato.cli.main import main

    others.measure("broken", "own", source="import no_such_module")
    others.measure("sound-one", "other")
    assert main(["measures"]) == 0
    shown = capsys.readouterr()
    assert "other" in shown.out
    assert "sound-one 1.5" in shown.out
    assert "warning: the measure 'own' of package broken 1.5 cannot be loaded" in shown.err
