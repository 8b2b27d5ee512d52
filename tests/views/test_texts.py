from __future__ import annotations

import pytest

from sfumato.views.texts import metric_text, share_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5.0, "5"),
        (0.0, "0"),
        (30162.0, "30,162"),
        (54370.301, "54,370"),
        (999.96, "1000"),
        (20.644, "20.64"),
        (0.3150001, "0.3150"),
        (1e-7, "1.000e-07"),
        (float("inf"), "infinite"),
        (float("-inf"), "-infinite"),
    ],
)
def test_metrics(value: float, text: str) -> None:
    assert metric_text(value) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 5, "0 %"), (5, 5, "100 %"), (1, 3, "33.3 %"), (301, 30162, "0.998 %"), (0, 0, "0 %")],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert share_text(part, whole) == text
