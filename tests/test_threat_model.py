"""The threat model names a test for every claim, and these tests exist."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.release.certified import released
from tests.test_docs import FENCE, REPOSITORY

from sfumato.documents.threat_model import THREAT_MODEL
from sfumato.measures.catalogue import measure_classes

if TYPE_CHECKING:
    from pathlib import Path

PAGE = REPOSITORY / THREAT_MODEL
NAMED = re.compile(r"`(?P<file>tests/[^`:]*)::(?P<test>[^`]*)`")
ANY = re.compile(r"tests/|::|\.py\b|\btest_")


@cache
def collected(file: Path) -> frozenset[str]:
    """Return the tests of a file that pytest collects by its name; nothing is run or imported."""
    if not file.name.startswith("test_") or not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def claims(text: str) -> list[str]:
    """Return the items of all lists of a page, each of which is a claim."""
    return re.findall(r"^- .*$", FENCE.sub("", text), re.M)


def problems(text: str) -> list[str]:
    """Say of every claim that it names no test, and of every name that there is no such test."""
    found = [f"no test: {claim}" for claim in claims(text) if not NAMED.search(claim)]
    found += [
        f"no such test: {name[0]}"
        for name in NAMED.finditer(text)
        if name["test"] not in collected(REPOSITORY / name["file"])
    ]
    # What looks like a name and is not written as one would not be checked.
    return found + [f"not a name: {each}" for each in ANY.findall(NAMED.sub("", text))]


def test_every_claim_has_a_test() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(claims(text)) > 60
    assert problems(text) == []


@pytest.mark.parametrize(
    "claim",
    [
        "- Nobody is found.",
        "- Nobody is found. `tests/test_threat_model.py::test_every_claim_has_a_tset`",
        "- Nobody is found. `tests/test_threat_modell.py::test_every_claim_has_a_test`",
        "- Nobody is found. `tests/release/certified.py::released`",
        "- Nobody is found. `tests/test_threat_model.py::test_every_claim_has_a_test` tests/x.py",
    ],
)
def test_a_misspelt_test_is_found(claim: str) -> None:
    assert problems("- This is. `tests/test_threat_model.py::test_every_claim_has_a_test`") == []
    assert problems(claim)


def test_every_promise_says_against_whom_it_holds_and_what_it_does_not_cover() -> None:
    text = PAGE.read_text(encoding="utf-8")
    promises = text.partition("## The promises\n")[2].partition("\n## ")[0]
    sections = re.split(r"^### ", promises, flags=re.M)[1:]
    assert len(sections) >= 16
    for section in sections:
        title = section.partition("\n")[0]
        for said in ("**Against**", "**Not covered"):
            assert said in section, f"{title} does not say {said}"
        assert claims(section.partition("**Not covered")[0]), f"{title} has no claim"


PRIVACY = {
    "k": "### k\n",
    "weighted-k": "weighted-k,",
    "s-k": "S_k",
    "s-l": "S_ℓ",
    "distinct-l": "Distinct ℓ",
    "frequency-l": "Frequency ℓ",
    "entropy-l": "entropy ℓ",
    "recursive-l": "recursive (c, ℓ)",
    "p-sensitive": "p-sensitivity",
    "t": "### t-closeness\n",
}
"""What the page calls the measures of privacy."""


def test_every_measure_of_privacy_is_there() -> None:
    room = "sfumato.measures.privacy."
    found = {name for name, kind in measure_classes().items() if kind.__module__.startswith(room)}
    assert found == set(PRIVACY), "say on the page what a new measure promises, and what not"
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name, words in PRIVACY.items() if words not in text] == []


def test_certificates_name_the_page(tmp_path: Path) -> None:
    release = released(tmp_path)
    assert release.certificate["threat_model"] == THREAT_MODEL
    private = json.loads((tmp_path / "private.json").read_text(encoding="utf-8"))
    assert private["threat_model"] == THREAT_MODEL


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/release.md"])
def test_pages_link_to_it(page: str) -> None:
    assert "threat-model.md)" in (REPOSITORY / page).read_text(encoding="utf-8")
