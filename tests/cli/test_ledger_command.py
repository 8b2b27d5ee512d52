"""``sfumato ledger``, and releases that are refused because of earlier ones."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from tests.release.ledger.ledger_tables import patients

from sfumato.cli.exit_codes import NOT_MET
from sfumato.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

STUDY = """
[source]
path = "patients.csv"

[columns.name]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [10, 30], low = 20, high = 79 }

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = true }

[columns.sex]
role = "quasi-identifying"
hierarchy = { flat = true }

[columns.illness]
role = "sensitive"
"""


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, object]:
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_releases_are_listed_refused_accepted_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patients().to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "study.toml").write_text(STUDY)
    run = tmp_path / "run"
    assert main(["search", str(tmp_path / "study.toml"), "-o", str(run)]) == 0
    front = json.loads(_front(capsys, run))
    by_k = sorted(front["solutions"], key=lambda solution: solution["values"]["k"])
    ids = [str(solution["id"]) for solution in by_k if solution["values"]["k"] >= 2]
    assert len(ids) >= 2
    assert printed(capsys, "ledger")["releases"] == []
    release = ("release", run, "--pick", ids[0], "-o", tmp_path / "first.csv")
    assert printed(capsys, *release)["earlier"] == []
    # The run folder is elsewhere now.
    moved = tmp_path / "moved"
    shutil.move(run, moved)
    refused = []
    for number in ids[1:]:
        path = tmp_path / f"{number}.csv"
        code = main(["release", str(moved), "--pick", number, "-o", str(path)])
        assert path.exists() == (code == 0)
        refused += [number] * (code == NOT_MET)
    assert refused
    assert "alone" in capsys.readouterr().err
    again = ("release", moved, "--pick", refused[0], "-o", tmp_path / "accepted.csv")
    shown = printed(capsys, *again, "--accept-composition")
    assert str(tmp_path / "first.csv") in shown["earlier"]  # type: ignore[operator]
    assert any("accepted" in warning for warning in shown["warnings"])  # type: ignore[attr-defined]
    listed = printed(capsys, "ledger")["releases"]
    assert isinstance(listed, list)
    assert [each["accepted"] for each in listed].count(True) == 1
    forgotten = [each["id"] for each in listed]
    arguments = [word for each in forgotten for word in ("--forget", each)]
    assert printed(capsys, "ledger", *arguments)["releases"] == []
    assert main(["ledger", "--forget", forgotten[0]]) == 1


def _front(capsys: pytest.CaptureFixture[str], run: Path) -> str:
    capsys.readouterr()
    assert main(["front", str(run), "--json"]) == 0
    return capsys.readouterr().out
