"""What Spark writes for itself lies where nobody else can look, and goes when the process ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

COUNT = """
import json, os, sys
from pathlib import Path
import sfumato as sf

engine = sf.SparkEngine(master="local[1]")
engine.count(sf.CsvFile(path=Path(sys.argv[1])), ["a", "b"])
found = []
for root in sys.argv[2:]:
    for folder, _, names in os.walk(root):
        for path in (Path(folder) / name for name in names):
            above = [p for p in path.parents if p.is_relative_to(root) and str(p) != root]
            # That of Java's own counters has no data in it.
            if not any(p.name.startswith("hsperfdata") for p in above):
                opened = all(p.stat().st_mode & 0o011 for p in above)
                found.append([str(path), opened and bool(path.stat().st_mode & 0o044)])
print(json.dumps(found))
"""


def files_during_a_count(tmp_path: Path, **environment: str) -> list[tuple[str, bool]]:
    """Return the files in the temporary folders, with whether others can read them."""
    people = tmp_path / "people.csv"
    rows = "".join(f"{number % 50},{number % 7}\n" for number in range(2000))
    people.write_text(f"a,b\n{rows}")
    roots = sorted({environment["TMPDIR"], environment.get("SPARK_LOCAL_DIRS", "")} - {""})
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(people), *roots],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [(path, opened) for path, opened in json.loads(done.stdout.splitlines()[-1])]


def test_no_file_can_be_read_by_others(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    found = files_during_a_count(tmp_path, TMPDIR=str(temporary))
    assert any("shuffle" in path for path, _ in found)
    assert [path for path, opened in found if opened] == []
    assert [entry.name for entry in temporary.iterdir() if "hsperf" not in entry.name] == []


def test_the_folder_that_spark_is_given_is_kept_to(tmp_path: Path) -> None:
    temporary, local = tmp_path / "temporary", tmp_path / "local"
    temporary.mkdir()
    local.mkdir()
    found = files_during_a_count(tmp_path, TMPDIR=str(temporary), SPARK_LOCAL_DIRS=str(local))
    assert any("shuffle" in path and path.startswith(str(local)) for path, _ in found)
    assert [path for path, opened in found if opened] == []
    assert list(local.iterdir()) == []
