"""The published JSON Schema of the study file: current, complete, and true to the documentation."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path

import jsonschema
import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main
from sfumato.study.file.study_schema import PUBLISHED, SCHEMA_NAME, published_schema, study_schema

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads(PUBLISHED.read_text(encoding="utf-8"))
TOML = re.compile(r"^```toml[^\n]*\n(.*?)^```$", re.M | re.S)
BLOCKS = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in sorted(DOCS.rglob("*.md"))
    for number, block in enumerate(TOML.findall(page.read_text(encoding="utf-8")))
    if "[project]" not in block and not block.startswith("queries")
]


def as_json(text: str) -> object:
    """Return a TOML text as an editor hands it to the schema: dates are texts."""
    return json.loads(json.dumps(tomllib.loads(text), default=date.isoformat))


def refusals(text: str, *, whole: bool = True) -> list[str]:
    schema = SCHEMA if whole else {**SCHEMA, "required": []}
    found = jsonschema.Draft202012Validator(schema).iter_errors(as_json(text))
    return [error.message for error in found]


def without_other_packages(text: str) -> str:
    """Return a study without the settings of the example package, which is not installed."""
    return re.sub(r"^\[search\.example-.*?(?=^\[|\Z)", "", text, flags=re.M | re.S)


def test_the_published_schema_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == published_schema(), (
        "the models changed: run python -m sfumato.study.file.study_schema"
    )
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_key_is_described() -> None:
    tables = [SCHEMA, *(each for each in SCHEMA["$defs"].values() if "properties" in each)]
    assert len(tables) > 20
    for table in tables:
        assert table["additionalProperties"] is False
        assert table["description"]
        for key, value in table["properties"].items():
            named = SCHEMA["$defs"][value["$ref"].rpartition("/")[2]] if "$ref" in value else {}
            assert value.get("description") or named.get("description"), (table["title"], key)


def test_no_reader_meets_what_is_only_in_the_code() -> None:
    text = PUBLISHED.read_text(encoding="utf-8")
    assert "``" not in text
    assert "null" not in text
    assert "§" not in text


@pytest.mark.parametrize("block", BLOCKS)
def test_studies_of_the_documentation_are_valid(block: str) -> None:
    assert refusals(without_other_packages(block), whole="[source]" in block) == []


@pytest.mark.parametrize(
    "slip",
    [
        "[sorce]\npath = 'a'",
        "[search]\nlimit = 3",
        "[search]\nspace = 'lattices'",
        "[search.pbg-ea]\npopluation = 3",
        "[columns.x]\nrole = 'sensitive'\nhierarchy = 'x.csv'",
        "[columns.x]\nrole = 'quasi-identifying'",
        "[columns.x]\nrole = 'quasi-identifying'\nhierarchy = { prefix = 3, flat = true }",
        "[[statements]]\nwhere = 'x = 1'",
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(slip: str) -> None:
    assert refusals(PEOPLE) == []
    assert refusals(f"{PEOPLE}\n{slip}\n") != []


def test_the_settings_of_every_method_are_in_it() -> None:
    search = SCHEMA["$defs"]["SearchTable"]["properties"]
    assert {"anytime", "aog-ga", "genitor", "nsga-ii", "pbg-ea"} <= set(search)
    assert "generations" in SCHEMA["$defs"]["NsgaIiTable"]["properties"]


def test_init_names_the_schema_and_follows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_people(tmp_path)
    study = tmp_path / "proposed.toml"
    assert main(["init", str(tmp_path / "people.csv"), "-o", str(study), "--quiet"]) == 0
    text = study.read_text(encoding="utf-8")
    assert text.splitlines()[0] == f"#:schema {SCHEMA_NAME}"
    assert refusals(text) == []
    capsys.readouterr()
    assert main(["schema"]) == 0
    assert capsys.readouterr().out == study_schema()
    written = tmp_path / SCHEMA_NAME
    assert main(["schema", "-o", str(written), "--quiet"]) == 0
    assert written.read_text(encoding="utf-8") == study_schema()
    assert main(["schema", "-o", str(tmp_path / "none" / "x.json")]) == 1
