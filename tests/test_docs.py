"""The documentation is true: its examples run, its outputs are real, its links lead somewhere."""

from __future__ import annotations

import doctest
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from sfumato.compare.catalogue import (
    comparator,
    comparator_names,
    property_named,
    property_names,
)
from sfumato.measures.catalogue import measure_names
from sfumato.measures.measure import Measure, Proved

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parent.parent
DOCS = REPOSITORY / "docs"
PAGES = sorted([REPOSITORY / "README.md", *DOCS.rglob("*.md")])

FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=fence)$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(?P<text>.+?)\s*$", re.M)


def page_id(page: Path) -> str:
    return str(page.relative_to(REPOSITORY))


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of code: where its code begins, and whether it shows a session."""

    code: str
    line: int

    @property
    def session(self) -> bool:
        return self.code.lstrip().startswith(">>>")


def blocks(text: str) -> Iterator[Block]:
    """Yield the Python blocks that are to be run."""
    for fence in FENCE.finditer(text):
        language, *flags = fence["info"].split() or [""]
        if language in ("python", "pycon") and "no-run" not in flags:
            yield Block(code=fence["code"], line=text.count("\n", 0, fence.start("code")) + 1)


class Checker(doctest.OutputChecker):
    """Outputs must be exact, but messages of our errors may be broken into lines."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        return want.startswith("sfumato.errors.") and want.split() == got.split()


def run_page(page: Path, *, name: str) -> None:
    """Run the blocks of a page one after another in one namespace, that of a module ``name``."""
    space = sys.modules[name].__dict__
    parser = doctest.DocTestParser()
    runner = doctest.DebugRunner(checker=Checker(), verbose=False, optionflags=doctest.ELLIPSIS)
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.session:
            test = parser.get_doctest(block.code, space, page.name, str(page), block.line - 1)
            test.globs = space  # the parser made a copy
            try:
                runner.run(test, clear_globs=False)
            except doctest.DocTestFailure as failure:
                line = block.line + failure.example.lineno
                pytest.fail(
                    f"{page}:{line}\n{failure.example.source}"
                    f"shown:\n{failure.example.want}got:\n{failure.got}"
                )
            except doctest.UnexpectedException as failure:
                line = block.line + failure.example.lineno
                pytest.fail(f"{page}:{line}\n{failure.example.source}{failure.exc_info[1]!r}")
        else:
            padding = "\n" * (block.line - 1)
            exec(compile(padding + block.code, str(page), "exec", dont_inherit=True), space)


def reads_adult(page: Path) -> bool:
    return any("datasets.adult(" in block.code for block in blocks(page.read_text("utf-8")))


@pytest.mark.parametrize("page", [p for p in PAGES if not reads_adult(p)], ids=page_id)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"documentation_{page.stem.replace('-', '_').replace('.', '_')}"
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    run_page(page, name=name)


@pytest.mark.parametrize("page", [p for p in PAGES if reads_adult(p)], ids=page_id)
def test_examples_run_on_adult(
    page: Path, adult_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_ADULT", str(adult_path))
    test_examples_run(page, tmp_path, monkeypatch)


def test_few_examples_are_not_run() -> None:
    infos = [f["info"].split() for p in PAGES for f in FENCE.finditer(p.read_text("utf-8"))]
    assert sum("no-run" in info for info in infos) <= 3


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
    found: list[str] = []
    for heading in HEADING.finditer(FENCE.sub("", page.read_text(encoding="utf-8"))):
        text = LINK.sub(lambda link: link[0][1 : link[0].index("]")], heading["text"])
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return frozenset(found)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.finditer(text):
        target = link["target"]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page_id(page)} links to {target}, which does not exist"
        if anchor:
            assert anchor in anchors(file), f"{page_id(page)} links to {target}: no such heading"


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = {link["target"].partition("#")[0] for link in LINK.finditer(index)}
    lacking = {p.name for p in DOCS.glob("*.md")} - linked - {"index.md"}
    assert not lacking, f"docs/index.md does not link to {sorted(lacking)}"


WORDED = [page for page in PAGES if page.name != "glossary.md" and page.parent.name != "decisions"]
INSTEAD = {
    r"attackers?|adversar(?:y|ies)": "intruder",
    r"beats?|beaten|none other": "Pareto-optimal, dominates",
    r"defects?": "internal error",
    r"floors?": "minimum level",
    r"granules?": "unit",
    r"(?<!there )(?:is|are) no (?!longer|more|less|greater|smaller|larger)": "is not a",
    r"secrets?": "confidential statement",
    r"such as": "like",
    r"usual": "default",
}
"""Words that pages do not use outside code, and what the glossary has instead."""
PRINTED = re.compile(r"tables? (?:and|or) figures?|figures? \d", re.I)


def prose(page: Path) -> str:
    """Return the text of a page without code, in lines of their own."""
    text = FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), page.read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]+`", "", text)


@pytest.mark.parametrize("page", WORDED, ids=page_id)
def test_pages_use_the_words_of_the_glossary(page: Path) -> None:
    for number, line in enumerate(prose(page).splitlines(), start=1):
        for words, instead in INSTEAD.items():
            found = re.search(rf"\b(?:{words})(?!\w)", line, re.I)
            assert not found, f"{page_id(page)}:{number} says {found[0]!r}; write {instead!r}"
        # A figure is a picture of a paper; numbers are metrics or values.
        assert "figure" not in PRINTED.sub("", line).lower(), f"{page_id(page)}:{number}: {line}"


def test_nothing_cites_documents_that_readers_do_not_have() -> None:
    cited = re.compile(r"\bSPEC §|\bSPEC\.md|\bDESIGN(?:\.md| §)|\bEXAMPLES\.md")
    files = [
        p for d in ("src", "tests", "examples", "tools") for p in (REPOSITORY / d).rglob("*.py")
    ]
    citing = [
        page_id(file)
        for file in (*PAGES, *files)
        if file != Path(__file__) and cited.search(file.read_text(encoding="utf-8"))
    ]
    assert not citing


def measure_classes() -> dict[str, type[Measure]]:
    """Return the measures of the catalogue, by name."""
    names = measure_names()  # imports them all
    classes: dict[str, type[Measure]] = {}
    waiting = Measure.__subclasses__()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        # Pages define measures of their own, which are no part of the catalogue.
        if kind.__module__.startswith("sfumato.measures.") and hasattr(kind, "name"):
            classes[kind.name] = kind
    assert sorted(classes) == sorted(names)
    return classes


def table_rows(page: str, head: str = "| name |") -> dict[str, dict[str, str]]:
    """Return the rows of all tables of a page whose heads begin so, by name."""
    rows: dict[str, dict[str, str]] = {}
    header: list[str] | None = None
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith(head):
            header = cells
        elif header is None or not line.startswith("|"):
            header = None
        elif not line.startswith("|---"):
            row = dict(zip(header, cells, strict=True))
            name = row["name"].strip("`")
            assert name not in rows, f"two rows of docs/{page} are about {name}"
            rows[name] = row
    return rows


PLACES = {Proved.LIMITED: "under a limit", Proved.ANYWHERE: "under every policy"}


def test_the_table_of_measures_is_the_catalogue() -> None:
    classes, rows = measure_classes(), table_rows("measures.md")
    lacking = sorted(set(classes) - set(rows))
    assert not lacking, f"docs/measures.md has no row for {lacking}; add one for each"
    gone = sorted(set(rows) - set(classes))
    assert not gone, f"docs/measures.md has rows for {gone}, which are no measures"
    for name, kind in classes.items():
        row = rows[name]
        said = {key: row[key] for key in ("better", "unit", "monotone", "reference")}
        true = {
            "better": kind.direction.value,
            "unit": kind.unit,
            "monotone": kind.monotone.value,
            "reference": kind.reference,
        }
        assert said == true, f"the row of {name} in docs/measures.md"
        assert row["formula"], f"the row of {name} in docs/measures.md lacks its formula"
        place = PLACES.get(kind.bound_proved)
        if place is None:
            assert row["bound"] == "none", f"{name} has no bound; docs/measures.md says it has"
        else:
            assert re.fullmatch(r"\[B\d+\]\(method\.md#\S+\), " + place, row["bound"]), (
                f"{name} has a bound {place}; docs/measures.md says {row['bound']!r}"
            )


def test_the_tables_of_comparing_are_the_catalogue() -> None:
    rows = table_rows("comparing.md")
    assert set(rows) == {*property_names(), *comparator_names()}
    for name in property_names():
        found = property_named(name)
        said = tuple(rows[name][key] for key in ("better", "unit", "reference"))
        assert said == (found.direction.value, found.unit, found.reference)
    for name in comparator_names():
        text = "goal(goals=1)" if name == "goal" else name
        assert rows[name]["reference"] == comparator(text).reference


def test_the_method_has_a_formula_of_every_property_and_comparator() -> None:
    text = (DOCS / "method.md").read_text(encoding="utf-8").partition("## Comparison\n")[2]
    first_cells = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    named = [name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(named) == sorted((*property_names(), *comparator_names()))


def test_every_bound_has_a_theorem_with_a_proof() -> None:
    text = (DOCS / "method.md").read_text(encoding="utf-8")
    sections = re.split(r"^### (?=B\d+\. )", text, flags=re.M)[1:]
    numbers = [int(s[1 : s.index(".")]) for s in sections]
    assert numbers == sorted(set(numbers))
    proved: set[str] = set()
    for section in sections:
        title, _, body = section.partition("\n")
        body = re.split(r"^#{2,3} ", body, flags=re.M)[0]
        assert "\n> " in body, f"{title}: a theorem is quoted"
        assert "*Proof" in body, f"{title}: a theorem has a proof"
        assert "∎" in body, f"{title}: a proof has an end"
        proved |= set(title.partition(". ")[2].replace(" and ", " ").split())
    bounded = {
        n for n, kind in measure_classes().items() if kind.bound_proved is not Proved.NOWHERE
    }
    assert proved == bounded


def test_the_table_of_policies_names_every_measure_once() -> None:
    text = (DOCS / "method.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `given-k` |"))
    _, _, bounded, swept = (cell.strip() for cell in row.strip("|").split("|"))
    for place, names in ((Proved.ANYWHERE, bounded.partition(": ")[2]), (Proved.LIMITED, swept)):
        proved = {n for n, kind in measure_classes().items() if kind.bound_proved is place}
        assert sorted(names.split(", ")) == sorted(proved)
