"""What every method owes: it is stopped with an honest result, and refuses what it cannot do."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from tests.study.people import people

import sfumato as sf
from sfumato.front.dominance import nondominated
from sfumato.front.indicators.objective_values import values_of
from sfumato.search.capabilities import CriteriaUse
from sfumato.search.catalogue import method_named, search_methods
from sfumato.search.control import SearchControl
from sfumato.search.methods.aog_ga.settings import AogGaSettings
from sfumato.search.methods.genitor.settings import GenitorSettings
from sfumato.search.methods.nsga_ii.settings import NsgaIISettings
from sfumato.search.methods.pbg_ea.settings import PbgEaSettings
from sfumato.search.result import Progress
from sfumato.search.stopping import after_evaluations, after_seconds, any_of, never

METHODS = sorted(search_methods())
QUICK = {
    "nsga-ii": NsgaIISettings(population=20, generations=12),
    "genitor": GenitorSettings(population=20, evaluations=260),
    "aog-ga": AogGaSettings(fitness="k", population=10, generations=6),
}
"""Settings for methods that take long with the usual ones."""
HERE = Progress(settled=5, nodes=48, evaluated=5, front_size=2)


@pytest.fixture
def study(request: pytest.FixtureRequest) -> sf.Study:
    """The study of a method's own space; without a method, that of the lattice."""
    named = getattr(request.node, "callspec", None)
    method = None if named is None else named.params.get("method")
    spaces = ("lattice",) if method is None else search_methods()[method].capabilities.spaces
    needed = method is not None and search_methods()[method].capabilities.criteria is CriteriaUse.NEEDED
    return _study(str(spaces[0]), criteria=("k>=3",) if needed else ())


@functools.cache
def _study(space: str, *, criteria: tuple[str, ...] = ()) -> sf.Study:
    """A lattice large enough for a sweep to have several batches, or its partitions."""
    flat = [
        sf.quasi_identifying(name, sf.Flat()) for name in ("sex", "illness", "income", "smokes")
    ]
    return sf.Study(
        source=people(),
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=39, widths=(5, 10))),
            sf.quasi_identifying("zip", sf.Prefixes()),
            *flat,
        ],
        suppression=sf.given_k(3) if space == "partitions" else sf.limited(0.1),
        space=space,
        criteria=criteria,
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_stopped_search_says_so(study: sf.Study, method: str) -> None:
    heard: list[Progress] = []
    stopped = study.search(
        method=method,
        settings=QUICK.get(method),
        should_stop=after_evaluations(1),
        listener=heard.append,
    )
    assert len(heard) == 1
    whole = study.search(method=method, settings=QUICK.get(method))
    assert whole.finished
    assert whole.state is None
    assert not stopped.finished
    assert not stopped.exact
    assert stopped.evaluated == heard[0].evaluated < stopped.nodes
    assert stopped.reason != whole.reason
    resumable = search_methods()[method].capabilities.resumable
    if method == "auto":
        # It is resumable where it chooses a search that is; here it sweeps.
        assert stopped.state is None
    else:
        assert (stopped.state is not None) == resumable
    # What it has is a front, and its metrics are true.
    if stopped.minimal is None:
        values = values_of(stopped.front)
        assert len(stopped.front) > 0
        assert nondominated(values, tuple(stopped.front.objectives.values())).all()
    else:
        # Or recodings that meet the criteria, of which there may be none so early.
        assert stopped.minimal.pruned == stopped.nodes - stopped.evaluated
        assert all(study.evaluate(solution).meets for solution in stopped.front)
    for solution in stopped.front:
        assert study.evaluate(solution, measures=["k", "loss"]).values == solution.values


@pytest.mark.parametrize("method", METHODS)
def test_asking_never_changes_the_result(study: sf.Study, method: str) -> None:
    asked: list[Progress] = []

    def rule(progress: Progress) -> bool:
        asked.append(progress)
        return False

    assert study.search(
        method=method, settings=QUICK.get(method), should_stop=rule
    ) == study.search(method=method, settings=QUICK.get(method))
    assert asked


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_is_checked_and_exact_searches_ignore_it(study: sf.Study, method: str) -> None:
    for seed in (-1, 1.5, True, "1"):
        with pytest.raises(sf.SettingsError, match="whole number from 0 up"):
            study.search(method=method, settings=QUICK.get(method), seed=seed)  # type: ignore[arg-type]
    one, other = (
        study.search(method=method, settings=QUICK.get(method), seed=1),
        study.search(method=method, settings=QUICK.get(method), seed=2),
    )
    assert one == other or not one.exact


def test_settings_belong_to_their_method(study: sf.Study) -> None:
    with pytest.raises(sf.SettingsError, match="'sweep' has no settings"):
        study.search(method="sweep", settings=PbgEaSettings())
    with pytest.raises(sf.SettingsError, match=r"a dict; write PbgEaSettings\(…\)"):
        study.search(method="pbg-ea", settings={"population": 9})
    small = study.search(method="pbg-ea", settings=PbgEaSettings(population=2, iterations=1))
    assert small.evaluated == 2


def test_control_is_checked() -> None:
    with pytest.raises(sf.SettingsError, match=r"such as after_evaluations\(1000\)"):
        SearchControl(should_stop=100)  # type: ignore[arg-type]
    with pytest.raises(sf.SettingsError, match=r"result\.state"):
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
        with pytest.raises(sf.SettingsError, match="whole number from 1 up"):
            after_evaluations(count)  # type: ignore[arg-type]
    for seconds in (0, -1, np.inf, "3"):
        with pytest.raises(sf.SettingsError, match="cannot stop after"):
            after_seconds(seconds)  # type: ignore[arg-type]


def test_the_method_is_a_name() -> None:
    with pytest.raises(sf.SettingsError, match="a search method is 3; it must be one of anytime"):
        method_named(3)  # type: ignore[arg-type]
