"""Every name that the package offers is where it is said to be."""

from __future__ import annotations

import sfumato


def test_every_public_name_is_there() -> None:
    lacking = [name for name in sfumato.__all__ if getattr(sfumato, name, None) is None]
    assert lacking == []
