"""The page on the architecture describes the package as it is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.test_layers import ROOMS

import sfumato

PACKAGE = Path(sfumato.__file__).parent
REPOSITORY = Path(__file__).parents[1]
PAGE = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_rooms_of_the_page_are_those_of_the_package() -> None:
    table = PAGE.split("## Rooms")[1].split("##")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)
    assert listed == [room for room in reversed(ROOMS) if room != "__main__"]


def test_every_file_and_folder_that_the_page_names_is_there() -> None:
    lines = PAGE.split("## From CSV to certificate")[1]
    for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:\.py|/))`", lines):
        found = (PACKAGE / name).exists() or list(PACKAGE.rglob(name.rstrip("/")))
        assert found or (REPOSITORY / name).exists(), name
