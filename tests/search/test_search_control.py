"""How searches are controlled, and what they refuse; their laws are in ``tests/testing``."""

from __future__ import annotations

import numpy as np
import pytest
from tests.raised import raises
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, after_evaluations, after_seconds, any_of, never
from sfumato.search.methods.pbg_ea import PbgEaSettings
from sfumato.search.result import Progress

HERE = Progress(settled=5, nodes=48, evaluated=5, front_size=2)


@pytest.fixture(scope="module")
def study() -> sf.Study:
    return study_of_people(suppression=sf.limited(0.1))


def test_settings_belong_to_their_method(study: sf.Study) -> None:
    with raises(sf.SettingsError, code="no-settings", key="settings"):
        study.search(method="sweep", settings=PbgEaSettings())
    with raises(sf.SettingsError, code="wrong-type", key="settings", found="a dict"):
        study.search(method="pbg-ea", settings={"population": 9})
    small = study.search(method="pbg-ea", settings=PbgEaSettings(population=2, iterations=1))
    assert small.evaluated == 2


def test_control_is_checked() -> None:
    for seed in (-1, 1.5, True, "1"):
        with raises(sf.SettingsError, code="out-of-range", key="seed"):
            SearchControl(seed=seed)  # type: ignore[arg-type]
    with raises(sf.SettingsError, code="wrong-type", key="should_stop", found="100"):
        SearchControl(should_stop=100)  # type: ignore[arg-type]
    with raises(sf.SettingsError, code="wrong-type", key="resume", found="'run'"):
        SearchControl(resume="run")  # type: ignore[arg-type]


def test_stop_rules() -> None:
    assert not never(HERE)
    assert after_evaluations(5)(HERE)
    assert not after_evaluations(6)(HERE)
    assert not after_seconds(1e6)(HERE)
    assert after_seconds(1e-9)(HERE)
    assert any_of(never, after_evaluations(5))(HERE)
    assert not any_of(never, after_evaluations(9))(HERE)
    for count in (0, -1, 1.5, True):
        with raises(sf.SettingsError, code="out-of-range", key="evaluations"):
            after_evaluations(count)  # type: ignore[arg-type]
    for seconds in (0, -1, np.inf, "3"):
        with raises(sf.SettingsError, code="out-of-range", key="seconds"):
            after_seconds(seconds)  # type: ignore[arg-type]


def test_the_method_is_a_name() -> None:
    with raises(sf.SettingsError, code="not-a-text", found="3"):
        method_named(3)  # type: ignore[arg-type]
