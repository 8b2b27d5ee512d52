"""The published JSON Schemas of a release's documents: current, described, and real ones fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest
from tests.slow_variants import slow
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.recoding.cuts import Cuts
from sfumato.recoding.levels import Levels
from sfumato.release.certificates.schemas import PUBLISHED, certificate_schemas

if TYPE_CHECKING:
    from pathlib import Path

PUBLIC, PRIVATE, CODEBOOK = PUBLISHED

EXTRAS = {
    "plain": "",
    "suppression": '[suppression]\npolicy = "limit"\nlimit = 0.2\n[release]\nsuppressed = "star"\n',
    "statements": "[[statements]]\nprotect = 'illness = gout'\nwhere = 'smokes = yes'\n",
    "partitions": '[search]\nspace = "partitions"\n',
    "microaggregated": '[release]\nvalues = "microaggregated"\n',
    "minimum level": "",
}


LEVELS = Levels.of({"age": 1, "zip": 2, "sex": 0})
CUTS = Cuts.of({"age": (5, 10), "zip": (1,), "sex": ()})


def schema(title: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(PUBLISHED[title].read_text(encoding="utf-8"))
    return found


def refusals(title: str, certificate: object) -> list[str]:
    found = jsonschema.Draft202012Validator(schema(title)).iter_errors(certificate)
    return [error.message for error in found]


def test_the_published_schemas_are_current() -> None:
    for title, text in certificate_schemas().items():
        assert PUBLISHED[title].read_text(encoding="utf-8") == text, (
            "the models changed: run python -m sfumato.release.certificates.schemas"
        )
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize("title", PUBLISHED)
def test_every_field_is_described(title: str) -> None:
    whole = json.loads(PUBLISHED[title].read_text(encoding="utf-8"))
    objects = [whole, *(each for each in whole["$defs"].values() if "properties" in each)]
    for each in objects:
        for name, value in each["properties"].items():
            named = whole["$defs"][value["$ref"].rpartition("/")[2]] if "$ref" in value else {}
            assert value.get("description") or named.get("description"), (each["title"], name)


@pytest.mark.parametrize(
    "name", [name if name in ("plain", "microaggregated") else slow(name) for name in EXTRAS]
)
def test_real_certificates_fit(name: str, tmp_path: Path) -> None:
    text = PEOPLE + EXTRAS[name]
    if name == "minimum level":
        text = text.replace("weight = 2.0\n", "weight = 2.0\nminimum-level = 1\n")
    study_file = sf.read_study_file(write_people(tmp_path, text))
    study = study_file.study
    release = study.release(
        CUTS if name == "partitions" else LEVELS,
        tmp_path / "released.csv",
        suppressed_rows=study_file.suppressed_rows,
        values=study_file.released_values,
        private_certificate=tmp_path / "private.json",
        codebook=tmp_path / "codebook.json",
        provenance={"approved by": "the ethics board"},
    )
    public = json.loads(release.certificate_path.read_text(encoding="utf-8"))
    private = json.loads((tmp_path / "private.json").read_text(encoding="utf-8"))
    assert refusals(PUBLIC, public) == []
    assert refusals(PRIVATE, private) == []
    book = json.loads((tmp_path / "codebook.json").read_text(encoding="utf-8"))
    assert refusals(CODEBOOK, book) == []
    assert refusals(CODEBOOK, {**book, "suppressed people": 3}) != []
    assert ("statistic" in book["columns"]["age"]) == (name == "microaggregated")
    assert private["approved by"] == "the ethics board"
    # What the one may tell, the other must not.
    assert refusals(PUBLIC, private) != []
    assert refusals(PUBLIC, {**public, "suppressed": private["suppressed"]}) != []
    audited = study.audit(tmp_path / "released.csv", private_certificate=tmp_path / "private.json")
    assert audited.metrics["k"] == public["metrics"]["k"]
