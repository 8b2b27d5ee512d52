"""Variants of a test that run in the slow part, while another of them stays in the fast suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


def slow(*values: object) -> ParameterSet:
    """Return the values of one variant, marked as slow."""
    return pytest.param(*values, marks=pytest.mark.slow)
