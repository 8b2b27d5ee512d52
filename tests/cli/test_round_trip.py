"""The whole line on a file that nobody prepared: Adult, as it comes, with its header."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from sfumato.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

MARITAL = (
    'hierarchy = { groups = [{ "Married" = ["Married-AF-spouse", "Married-civ-spouse", '
    '"Married-spouse-absent"], "Once married" = ["Divorced", "Separated", "Widowed"], '
    '"Never married" = ["Never-married"] }] }\n'
)


def test_init_search_release_audit(
    tmp_path: Path, adult_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(adult_path, tmp_path / "adult.csv")
    assert main(["init", str(tmp_path / "adult.csv")]) == 0
    study = tmp_path / "study.toml"
    text = study.read_text(encoding="utf-8")
    # A few edits: occupation is what must not be learnt, marital status gets a level between, and
    # the policy asks for little.
    before, after = text.split("[columns.occupation]\n")
    after = after.split("\n\n", 1)[1]
    text = f'{before}[columns.occupation]\nrole = "sensitive"\n\n{after}'
    before, after = text.split("[columns.marital-status]\n")
    after = after.replace("hierarchy = { flat = true }\n", MARITAL, 1)
    text = f"{before}[columns.marital-status]\n{after}"
    proposed = 'objectives = ["k", "distinct-l", "normalized-loss"]'
    assert proposed in text
    text = text.replace(proposed, 'objectives = ["k", "loss", "t"]')
    policy = 'require = ["k>=5"]'
    assert policy in text
    text = text.replace(policy, 'require = ["k>=2"]')
    study.write_text(text, encoding="utf-8")
    run = tmp_path / "run"
    capsys.readouterr()
    assert main(["search", str(study), "-o", str(run), "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exact"]
    solutions = found["solutions"]
    assert len(solutions) >= 10
    for number in range(10):
        promised = solutions[number * (len(solutions) - 1) // 9]
        for ending in ("csv", "parquet"):
            out = tmp_path / f"released-{number}.{ending}"
            pick = ["--pick", str(promised["id"]), "-o", str(out), "--quiet", "--no-ledger"]
            assert main(["release", str(run), *pick]) == 0
            private = run / "releases" / f"{out.name}.private.json"
            audit = ["audit", str(out), str(study), "--private-certificate", str(private)]
            capsys.readouterr()
            assert main([*audit, "--json"]) == 0
            measured = json.loads(capsys.readouterr().out)
            assert measured["levels"] == promised["levels"]
            assert measured["rows"] == 30162 - promised["suppressed"]
            for name, value in promised["values"].items():
                assert measured["values"][name] == pytest.approx(value, rel=1e-12), name
