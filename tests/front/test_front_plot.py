"""A front as a picture: its axes, points and steps."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import pytest
from tests.raised import raises
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.front.front_plot import plotted_axes

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    mpl.use("Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def front() -> sf.Front:
    return study_of_people(objectives=["normalized-loss", "k"]).search().front


def test_privacy_is_across_and_loss_upwards(front: sf.Front) -> None:
    axes = front.plot()
    assert axes.get_xlabel() == "k (higher is better)"
    assert axes.get_ylabel() == "normalized-loss (lower is better)"
    assert axes.get_xscale() == "log"
    points, steps = axes.lines
    across, up = np.asarray(points.get_xdata()), np.asarray(points.get_ydata())
    drawn = sorted(zip(across.tolist(), up.tolist(), strict=True))
    assert drawn == sorted((s.values["k"], s.values["normalized-loss"]) for s in front)
    assert steps.get_drawstyle() == "steps-pre"


def test_axes_can_be_named_and_given(front: sf.Front) -> None:
    from matplotlib.figure import Figure

    own = Figure().subplots()
    assert front.plot("normalized-loss", axes=own) is own
    assert own.get_xlabel().startswith("normalized-loss")
    assert own.get_ylabel().startswith("k ")
    # Of less loss, what privacy there is: the steps turn.
    assert own.lines[1].get_drawstyle() == "steps-post"


def test_three_objectives_have_points_and_no_steps() -> None:
    front = study_of_people(objectives=["k", "distinct-l", "normalized-loss"]).search().front
    axes = front.plot(x="distinct-l")
    assert axes.get_ylabel().startswith("normalized-loss")
    assert len(axes.lines) == 1


def test_what_cannot_be_drawn_is_refused(front: sf.Front, monkeypatch: pytest.MonkeyPatch) -> None:
    with raises(sf.SettingsError, code="unknown-choice", key="x", suggestion="k"):
        front.plot(x="kk")
    with raises(sf.SettingsError, code="too-few", key="objectives"):
        plotted_axes({"k": sf.Direction.HIGHER}, None, None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with raises(sf.SettingsError, code="not-installed", found="matplotlib"):
        front.plot()
