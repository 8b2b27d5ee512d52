"""What pages say of metrics and properties is written for readers, not for programmers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pytest
from tests.report.made_run import HOSTILE_COLUMN, hostile_study, made_run

from sfumato.compare.catalogue import property_named, property_names
from sfumato.measures.catalogue import measure_classes
from sfumato.measures.measure import Direction, Kind, Measure, Monotone, Scale
from sfumato.views.comparison_data import compute_comparison
from sfumato.views.run.report_computing import compute_report

if TYPE_CHECKING:
    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes
    from sfumato.compare.properties.property import Property

SHOWN: dict[str, type[Measure] | type[Property]] = {
    **measure_classes(),
    **{name: type(property_named(name)) for name in property_names()},
}


@pytest.mark.parametrize("name", list(SHOWN))
def test_every_member_explains_itself(name: str) -> None:
    meaning = SHOWN[name].meaning
    assert meaning.endswith(".")
    assert meaning[0].isupper() or meaning.startswith("1 ")
    assert not set(meaning) & set("Σ|_`=<>²·")
    documented = {line.strip() for line in (SHOWN[name].__doc__ or "").splitlines()}
    assert meaning not in documented


def test_no_page_shows_a_docstring() -> None:
    study = hostile_study()
    fine, coarse = ({"age": level, HOSTILE_COLUMN: 0, "zip": 1} for level in (1, 2))
    report = compute_report(made_run(study))
    page = compute_comparison(study.compare(fine, coarse), source="x")
    documented = {(kind.__doc__ or "").partition("\n")[0] for kind in SHOWN.values()}
    told = {each.meaning for each in report.metrics} | {each.meaning for each in page.properties}
    assert not told & documented
    assert "" not in told


def test_scales() -> None:
    def names(scale: Scale) -> set[str]:
        return {name for name, kind in SHOWN.items() if kind.scale is scale}

    assert names(Scale.SHARE) == {
        *("normalized-loss", "ql", "cm", "precision"),
        *("prosecutor-risk", "mean-prosecutor-risk", "risk-above", "alpha"),
        *("journalist-risk", "mean-journalist-risk", "delta-presence"),
        *("breach-probability", "own-value-share", "statement-risk"),
    }
    assert names(Scale.LOGARITHMIC) == {
        *("k", "weighted-k", "s-k", "s-l", "dm", "class-size-quantile", "class-size-worst-tenth"),
        *("class-size", "own-value-count", "k-map"),
    }


@dataclass(frozen=True, kw_only=True)
class Silent(Measure):
    """A measure of somebody's own that says nothing to readers."""

    name: ClassVar[str] = "silent"
    kind: ClassVar[Kind] = Kind.PRIVACY
    direction: ClassVar[Direction] = Direction.HIGHER
    monotone: ClassVar[Monotone] = Monotone.NO
    reference: ClassVar[str] = "none"
    unit: ClassVar[str] = "rows"

    def evaluate(self, candidates: Classes) -> Floats:
        """Return the suppressed rows."""
        return np.asarray(candidates.suppressed_rows, dtype=np.float64)


def test_a_measure_without_a_meaning_has_an_empty_tooltip() -> None:
    data = compute_report(made_run(hostile_study(objectives=("k", "loss", Silent()))))
    (metric,) = (each for each in data.metrics if each.name == "silent")
    assert (metric.meaning, metric.scale) == ("", Scale.LINEAR)
