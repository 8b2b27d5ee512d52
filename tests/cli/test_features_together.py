"""Statements, partitions, criteria and microaggregation in one study."""

from __future__ import annotations

import itertools
import json
import random
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from sfumato.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

STUDY = """\
[source]
path = "patients.csv"

[columns.name]
role = "identifying"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20], low = 20, high = 59 }

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = true }
constrained = true

[columns.HIV]
role = "sensitive"

[columns.ward]
role = "insensitive"

[suppression]
policy = "limit"
limit = 0.05

[search]
%s

[release]
values = "%s"

# Who was in oncology, and two people who asked for more.
[[statements]]
protect = 'HIV = +'
where = 'ward = oncology'

[[statements]]
protect = 'HIV = -'
where = 'name in {"patient 3", "patient 11"}'
"""
SPACES = {
    "partitions": """\
space = "partitions"
method = "nsga-ii"
objectives = ["secure", "k", "loss"]
[search.nsga-ii]
population = 16
generations = 6
start = "lattice"
""",
    "lattice": 'objectives = ["secure", "k", "loss"]',
    "local": """\
space = "local"
criteria = ["secure>=1"]
objectives = ["k", "loss"]
[search.ruin-and-recreate]
largest-k = 6
rounds = 1
""",
    "minimal": """\
method = "breadth-first"
criteria = ["k>=3"]
objectives = ["secure", "k", "loss"]
""",
}


FAST = (
    ("partitions", "microaggregated", "csv"),
    ("lattice", "generalized", "csv"),
    ("minimal", "generalized", "csv"),
    ("local", "microaggregated", "csv"),
)


@pytest.mark.parametrize(
    ("space", "values", "ending"),
    [
        pytest.param(*each, marks=() if each in FAST else pytest.mark.slow)
        for each in itertools.product(
            SPACES, ("generalized", "microaggregated"), ("csv", "parquet")
        )
    ],
)
def test_a_verified_release(
    tmp_path: Path, space: str, values: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(11)
    rows = [
        {
            "name": f"patient {number}",
            "age": str(min(59, int(rng.triangular(20, 60, 25)))),
            "zip": rng.choice(["241", "242", "105"]) + str(rng.randint(0, 9)),
            "HIV": "+" if rng.random() < 0.3 else "-",
            "ward": rng.choice(["oncology", "surgery", "surgery"]),
        }
        for number in range(200)
    ]
    source = pd.DataFrame(rows)
    source.to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "study.toml").write_text(STUDY % (SPACES[space], values))
    run, out = tmp_path / "run", tmp_path / f"released.{ending}"
    assert main(["search", str(tmp_path / "study.toml"), "-o", str(run), "--quiet"]) == 0
    capsys.readouterr()
    secure = "" if space == "local" else "secure>=1,"
    pick = ["--pick", f"{secure}k>=3,k<=12", "-o", str(out), "--json", "--quiet"]
    assert main(["release", str(run), *pick]) == 0
    released: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert released["values"]["secure"] == 1
    written = (
        pd.read_csv(out, dtype=str, keep_default_na=False)
        if ending == "csv"
        else pd.read_parquet(out)
    )
    # The classes of the file, and nobody in them alone with what they protect.
    sizes = written.groupby(["age", "zip"]).size()
    assert sizes.min() == released["values"]["k"]
    assert len(written) == 200 - released["suppressed"]
    oncology = written[written["ward"] == "oncology"]
    for key in set(zip(oncology["age"], oncology["zip"], strict=True)):
        members = written[(written["age"] == key[0]) & (written["zip"] == key[1])]
        assert (members["HIV"] != "+").any()
    assert not any("patient" in str(value) for value in written.to_numpy().ravel())
    if values == "microaggregated":
        assert not written["age"].astype(str).str.contains("[", regex=False).any()
    private = run / "releases" / f"{out.name}.private.json"
    audit = ["audit", str(out), str(run), "--private-certificate", str(private), "--json"]
    assert main(audit) == 0
    audited = json.loads(capsys.readouterr().out)
    assert audited["values"]["k"] == released["values"]["k"]
    assert audited["values"]["loss"] == pytest.approx(released["values"]["loss"])
