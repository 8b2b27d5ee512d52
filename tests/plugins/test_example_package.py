"""The example package is installed as users do it, and used through the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.study.people import people

import sfumato

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = Path(__file__).parents[2] / "examples" / "sfumato-example-plugin"
ORIGIN = "sfumato-example-plugin 0.3.0"
STUDY = """
[source]
path = "people.csv"

[columns]
name = { role = "identifying" }
smokes = { role = "insensitive" }
income = { role = "insensitive" }
illness = { role = "sensitive" }

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10], low = 20, high = 39 }

[columns.zip]
role = "quasi-identifying"
hierarchy = { prefix = 5 }

[columns.sex]
role = "quasi-identifying"
hierarchy = { flat = true }

[suppression]
policy = "limit"
limit = 0.05

[search]
objectives = ["example-at-risk(k=4)", "loss"]
method = "example-random"

[search.example-random]
draws = 60
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the example package, without a network."""
    folder = tmp_path_factory.mktemp("installed")
    source = tmp_path_factory.mktemp("source") / EXAMPLE.name
    shutil.copytree(EXAMPLE, source)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    target = ("--target", str(folder), str(source))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, *target],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def run(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a Python module where the example package is installed."""
    own = Path(sfumato.__file__).parents[1]
    paths = (str(installed), str(own), *os.environ.get("PYTHONPATH", "").split(os.pathsep))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done

    return run


def test_it_is_listed(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    listed = json.loads(run("sfumato", "measures", "--json").stdout)
    (own,) = [each for each in listed if each["name"] == "example-at-risk"]
    assert own["measure"] == "example-at-risk([k])"
    assert (own["kind"], own["better"], own["origin"]) == ("privacy", "lower", ORIGIN)
    assert {each["origin"] for each in listed} == {ORIGIN, f"sfumato {sfumato.__version__}"}
    lines = run("sfumato", "methods").stdout.splitlines()
    (line,) = [line for line in lines if "example-random" in line]
    assert line.rstrip().endswith(ORIGIN)


@pytest.mark.slow
def test_a_study_uses_it(
    run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "study.toml").write_text(STUDY)
    found = json.loads(run("sfumato", "search", "study.toml", "-o", "run", "--json").stdout)
    assert found["method"] == "example-random"
    assert not found["exact"]
    assert "of 60 random draws" in found["reason"]
    front = json.loads(run("sfumato", "front", "run", "--json").stdout)
    assert front["objectives"] == {"example-at-risk(k=4)": "lower", "loss": "lower"}
    shares = [each["metrics"]["example-at-risk(k=4)"] for each in front["solutions"]]
    assert all(0 <= share <= 1 for share in shares)
    assert min(shares) < max(shares)
    picked = run("sfumato", "front", "run", "--pick", "example-at-risk(k=4)<=0.1").stdout
    assert "sfumato release --pick would take" in picked
    last = str(len(shares) - 1)
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert record["plugins"] == {"example-at-risk(k=4)": ORIGIN, "example-random": ORIGIN}
    run("sfumato", "release", "run", "--pick", "0", "-o", "released.csv")
    (private,) = (tmp_path / "run" / "releases").glob("*.private.json")
    assert json.loads(private.read_text(encoding="utf-8"))["plugins"] == record["plugins"]
    audit = ("released.csv", "run", "--private-certificate", str(private), "--json")
    audited = json.loads(run("sfumato", "audit", *audit).stdout)
    assert audited["values"]["example-at-risk(k=4)"] == shares[0]
    compared = run("sfumato", "compare", "run", "0", last, "--comparator", "example-median")
    assert "example-median" in compared.stdout


@pytest.mark.slow
def test_it_passes_its_own_tests(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    tests = str(EXAMPLE / "tests")
    done = run("pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tests, tests)
    assert "3 passed" in done.stdout


@pytest.mark.parametrize("name", ["records_at_risk", "random_search", "median"])
def test_the_documentation_shows_its_code(name: str) -> None:
    page = (EXAMPLE.parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
    code = (EXAMPLE / "src" / "sfumato_example" / f"{name}.py").read_text(encoding="utf-8")
    assert code.split('"""', 2)[2].strip() in page
    assert (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8").strip() in page
