"""The page of a comparison: one file, escaped, under a policy, that appears whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import json
import stat
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.report.made_run import HOSTILE_COLUMN, NAMES, hostile_study, people
from tests.report.test_report import Parts
from tests.views.test_comparison_data import COARSE, FINE

from sfumato.errors import SettingsError
from sfumato.report.comparison import write_comparison
from sfumato.study.comparison import anonymization_of, compare_anonymizations

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.study.comparison import Comparison

HOSTILE_NAME = "<b>A & 'co'</b></script>"


def hostile_comparison() -> Comparison:
    problem = hostile_study().problem
    return compare_anonymizations(
        anonymization_of(problem, FINE, label=HOSTILE_NAME),
        anonymization_of(problem, COARSE, label="${B}"),
    )


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("comparison") / "comparison.html"
    write_comparison(hostile_comparison(), path, source="<i>patients.csv", by=HOSTILE_COLUMN)
    return path.read_text(encoding="utf-8")


def test_the_policy_allows_this_style_and_this_script_and_nothing_else(text: str) -> None:
    parts = Parts(text)
    policy = next(
        attributes["content"]
        for tag, attributes in parts.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    style, data, script = parts.scripts
    digest = {
        each: base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()
        for each in (style, script)
    }
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest[style]}'; "
        f"script-src 'sha256-{digest[script]}'; base-uri 'none'; form-action 'none'"
    )
    assert json.loads(data)["names"] == [HOSTILE_NAME, "${B}"]


def test_nothing_is_fetched_and_scripts_set_texts(text: str) -> None:
    parts = Parts(text)
    for tag, attributes in parts.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a", "b")
        assert not {"src", "href", "srcset", "style"} & set(attributes)
        assert not any(key.startswith("on") for key in attributes)
    for way in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch("):
        assert way not in parts.scripts[-1]
    assert "url(" not in parts.scripts[0]


def test_hostile_names_stay_texts(text: str) -> None:
    words = "".join(Parts(text).words)
    assert HOSTILE_NAME in words
    assert "${B}" in words
    assert "<i>patients.csv" in words


def test_it_says_that_it_is_not_for_publication(text: str) -> None:
    assert "Not for publication." in "".join(Parts(text).words)


def test_no_identifier_and_no_rare_value(text: str) -> None:
    data = json.loads(Parts(text).scripts[1])
    assert not any(name in text for name in NAMES)
    table = people()
    for place, column in enumerate(data["columns"]):
        counts = table[column].value_counts()
        rare = set(counts[counts < data["fewest"]].index)
        for one in data["properties"]:
            assert not {group["value"] for group in one["groups"][place]} & rare


def test_only_the_owner_can_read_it_and_only_a_page_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    path.write_text("a;b\n")
    found = hostile_comparison()
    with raises(SettingsError, code="never-replaced"):
        write_comparison(found, path)
    path.write_text("<html>older")
    write_comparison(found, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = path.read_bytes()
    write_comparison(found, path)
    assert path.read_bytes() == again
    with raises(SettingsError, code="unwritable-file"):
        write_comparison(found, tmp_path / "nowhere" / "comparison.html")
    assert [entry.name for entry in tmp_path.iterdir()] == ["comparison.html"]
