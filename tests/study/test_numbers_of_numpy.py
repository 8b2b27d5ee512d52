"""Numbers out of arrays and tables are settings as good as Python's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.study.people import people

import sfumato as sf

ONE: Any = np.int64(1)
THREE: Any = np.int32(3)
SHARE: Any = np.float32(0.01)


@pytest.mark.parametrize(
    ("of_numpy", "plain"),
    [
        (lambda: sf.limited(SHARE), lambda: sf.limited(0.01)),
        (lambda: sf.limited(THREE), lambda: sf.limited(3)),
        (lambda: sf.given_k(THREE), lambda: sf.given_k(3)),
        (
            lambda: sf.quasi_identifying("a", sf.Flat(), weight=THREE, minimum_level=ONE),
            lambda: sf.quasi_identifying("a", sf.Flat(), weight=3, minimum_level=1),
        ),
        (lambda: sf.Tolerance(loss=SHARE), lambda: sf.Tolerance(loss=0.01)),
        (
            lambda: sf.SearchControl(seed=THREE, threads=ONE),
            lambda: sf.SearchControl(seed=3, threads=1),
        ),
        (
            lambda: sf.NsgaIISettings(population=np.int64(20), mutation=SHARE),  # type: ignore[arg-type]
            lambda: sf.NsgaIISettings(population=20, mutation=0.01),
        ),
    ],
)
def test_settings_are_the_same(of_numpy: Any, plain: Any) -> None:
    assert repr(of_numpy()) == repr(plain())


def test_a_share_is_the_one_that_was_written() -> None:
    # 1 % of 1,000 rows: the number of 32 bits is a little less than the decimal.
    assert sf.limited(SHARE).budget(1000) == 10


def test_a_study_by_numbers_of_numpy() -> None:
    study = sf.Study(
        source=people(),
        attributes=[
            sf.quasi_identifying(
                "age",
                sf.Intervals(widths=np.array([5, 10]), low=np.int64(20), high=np.int64(39)),  # type: ignore[arg-type]
            ),
            sf.sensitive("illness"),
        ],
        unlisted_insensitive=True,
        suppression=sf.limited(np.float64(0.1)),
        most_combinations=np.int64(10_000),  # type: ignore[arg-type]
    )
    front = study.search(seed=ONE, threads=ONE, should_stop=sf.after_evaluations(THREE)).front
    picked = sf.pick("k>=2", front).solution
    assert study.evaluate({"age": np.int64(picked.levels["age"])}).values["k"] >= 2  # type: ignore[dict-item]
