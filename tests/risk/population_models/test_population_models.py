"""The estimates of population uniqueness against SciPy's optimizers and distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import optimize, special, stats
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.risk.population_models.benedetti_franconi import individual_risks
from sfumato.risk.population_models.dankar import bootstrap_interval, population_uniques
from sfumato.risk.population_models.pitman import pitman_parameters, pitman_uniques
from sfumato.risk.population_models.sample_classes import SampleClasses
from sfumato.risk.population_models.slide_negative_binomial import (
    shlosser_classes,
    slide_negative_binomial_uniques,
)
from sfumato.risk.population_models.zayatz import zayatz_uniques

if TYPE_CHECKING:
    from sfumato.arrays import Counts, Floats

SEEDS = range(6)


def drawn_sizes(seed: int, fraction: float) -> Counts:
    """Return the class sizes of a sample of a population with some large and many small classes."""
    rng = np.random.default_rng(seed)
    population = 1 + rng.negative_binomial(0.3 + 0.2 * seed, 0.1, size=3000)
    return rng.binomial(population, fraction)


def seated_sizes(seed: int, *, theta: float, alpha: float, people: int = 1500) -> Counts:
    """Return class sizes by Pitman's process: each person joins a class or opens one."""
    rng = np.random.default_rng(seed)
    sizes: list[int] = []
    for person in range(people):
        opens = (theta + len(sizes) * alpha) / (theta + person)
        if rng.random() < opens:
            sizes.append(1)
        else:
            shares = np.array(sizes) - alpha
            sizes[int(rng.choice(len(sizes), p=shares / shares.sum()))] += 1
    return np.array(sizes, dtype=np.int64)


def pitman_likelihood(sizes: Counts, theta: float, alpha: float) -> float:
    """Return the logarithm of Pitman's formula, by gamma functions (Pitman 1995)."""
    n, u = sizes.sum(), sizes.shape[0]
    classes = u * math.log(alpha) + special.gammaln(theta / alpha + u)
    classes -= special.gammaln(theta / alpha)
    people = special.gammaln(theta + n) - special.gammaln(theta)
    within = (special.gammaln(sizes - alpha) - special.gammaln(1 - alpha)).sum()
    return float(classes - people + within)


def likeliest(sizes: Counts) -> tuple[float, float]:
    """Return θ and α of the maximum likelihood by Nelder and Mead's method."""

    def loss(logs: Floats) -> float:
        return -pitman_likelihood(sizes, math.exp(logs[0]), float(special.expit(logs[1])))

    best = optimize.minimize(
        loss, [2.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-10}
    )
    return math.exp(best.x[0]), float(special.expit(best.x[1]))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("theta", "alpha"), [(5.0, 0.5), (200.0, 0.3), (1.0, 0.8)])
def test_pitman_is_the_maximum_of_the_likelihood(seed: int, theta: float, alpha: float) -> None:
    sizes = seated_sizes(seed, theta=theta, alpha=alpha)
    sample = SampleClasses.of(sizes, fraction=0.05)
    found = pitman_parameters(sample)
    assert found is not None
    if found.theta <= 0:
        assert pitman_slope(sizes, *found) == pytest.approx((0.0, 0.0), abs=1e-3)
        return
    best_theta, best_alpha = likeliest(sizes)
    assert found.theta == pytest.approx(best_theta, rel=1e-4, abs=1e-4)
    assert found.alpha == pytest.approx(best_alpha, rel=1e-4)
    logs = special.gammaln(best_theta + 1) - special.gammaln(best_theta + best_alpha)
    expected = math.exp(logs + best_alpha * math.log(sizes.sum() / 0.05))
    assert pitman_uniques(sample) == pytest.approx(expected, rel=1e-4)


def pitman_slope(sizes: Counts, theta: float, alpha: float) -> tuple[float, float]:
    """Return the slopes of the likelihood by its letter, also where θ is below 0."""
    u, n = sizes.shape[0], int(sizes.sum())

    def likelihood(theta: float, alpha: float) -> float:
        return (
            sum(math.log(theta + i * alpha) for i in range(1, u))
            - sum(math.log(theta + i) for i in range(1, n))
            + sum(math.log(i - alpha) for size in sizes.tolist() for i in range(1, size))
        )

    step = 1e-5
    return (
        (likelihood(theta + step, alpha) - likelihood(theta - step, alpha)) / (2 * step),
        (likelihood(theta, alpha + step) - likelihood(theta, alpha - step)) / (2 * step),
    )


def test_pitman_has_no_estimate_where_the_likelihood_grows_to_the_border() -> None:
    sizes = drawn_sizes(5, 0.05)
    sizes = sizes[sizes > 0]
    assert likeliest(sizes)[1] < 1e-3
    assert pitman_uniques(SampleClasses.of(sizes, fraction=0.05)) is None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fraction", [0.05, 0.5, 1.0])
def test_zayatz_by_the_hypergeometric_distribution(seed: int, fraction: float) -> None:
    sizes = drawn_sizes(seed, 0.3)
    sizes = sizes[sizes > 0]
    people = int(sizes.sum())
    once = stats.hypergeom(round(people / fraction), sizes, people).pmf(1)
    ones = sizes == 1
    expected = ones.sum() / fraction * once[ones].sum() / once.sum()
    sample = SampleClasses.of(sizes, fraction=fraction)
    assert zayatz_uniques(sample) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.6])
def test_slide_negative_binomial_by_sums_over_population_sizes(seed: int, fraction: float) -> None:
    sizes = drawn_sizes(seed, fraction)
    sample = SampleClasses.of(sizes, fraction=fraction)
    found = slide_negative_binomial_uniques(sample)
    classes = shlosser_classes(sample)
    size = np.arange(1, 20_000)
    drawn = [stats.binom(size, fraction).pmf(many) for many in (1, 2)]

    def missed(logs: Floats) -> list[float]:
        shares = stats.nbinom(math.exp(logs[0]), special.expit(logs[1])).pmf(size - 1)
        return [
            math.log(classes * float((shares * each).sum()) / sample.of_size(many))
            for many, each in enumerate(drawn, start=1)
        ]

    solutions = []
    for start in ((-1.0, -2.0), (0.0, 0.0), (0.0, -3.0), (-2.0, -4.0), (1.0, 1.0)):
        solved = optimize.root(missed, start, tol=1e-12)
        if solved.success and np.abs(solved.fun).max() < 1e-9:
            alpha, beta = math.exp(solved.x[0]), special.expit(solved.x[1])
            solutions.append(classes * beta**alpha)
    if found is None:
        assert not solutions
    else:
        assert any(found == pytest.approx(each, rel=1e-4) for each in solutions)


def test_shlosser_by_its_letter() -> None:
    sizes, q = np.array([1, 1, 1, 2, 2, 5, 9]), 0.25
    s = {size: int((sizes == size).sum()) for size in set(sizes.tolist())}
    top = sum(i * q**2 * (1 - q**2) ** (i - 1) * s[i] for i in s)
    bottom = sum((1 - q) ** i * ((1 + q) ** i - 1) * s[i] for i in s)
    ratio = sum((1 - q) ** i * s[i] for i in s) / sum(i * q * (1 - q) ** (i - 1) * s[i] for i in s)
    assert shlosser_classes(SampleClasses.of(sizes, fraction=q)) == pytest.approx(
        7 + 3 * top / bottom * ratio**2
    )


@pytest.mark.parametrize("f", [1, 2, 3, 7, 39, 40, 41, 200])
@pytest.mark.parametrize("weight", [1.0, 1.0001, 1.5, 1.99, 2.01, 10.0, 500.0])
def test_individual_risk_by_the_hypergeometric_function(f: int, weight: float) -> None:
    found = individual_risks(np.array([f]), np.array([f * weight]))[0]
    p = 1 / weight
    # E(1 / F | f) with F - f negative binomial, summed up to where nothing is left.
    most = int(stats.nbinom(f, p).isf(1e-13)) + 1 if p < 1 else 1
    more = np.arange(most + 1)
    expected = (stats.nbinom(f, p).pmf(more) / (f + more)).sum() if p < 1 else 1 / f
    assert found == pytest.approx(expected, rel=1e-6)


def test_individual_risk_by_the_usual_approximation() -> None:
    sizes, weights = np.array([1, 2, 3, 50]), np.array([10.0, 10.0, 30.0, 400.0])
    found = individual_risks(sizes, weights, approximate=True)
    exact = individual_risks(sizes, weights)
    assert found[:2].tolist() == exact[:2].tolist()
    assert found[2:].tolist() == pytest.approx([0.1 / (3 - 0.9), 0.125 / (50 - 0.875)])
    assert found[3] == pytest.approx(exact[3], rel=0.01)


def test_the_choice_between_estimates() -> None:
    few = population_uniques(SampleClasses.of(seated_sizes(3, theta=5.0, alpha=0.5), fraction=0.1))
    assert few.chosen == "pitman"
    assert few.uniques == few.pitman
    many = population_uniques(SampleClasses.of(drawn_sizes(3, 0.4), fraction=0.4))
    assert many.slide_negative_binomial is not None
    assert many.uniques == min(many.zayatz, many.slide_negative_binomial)


def test_a_whole_population_tells_its_uniques() -> None:
    sizes = np.array([1, 1, 2, 2, 3, 8])
    found = population_uniques(SampleClasses.of(sizes, fraction=1.0))
    assert found.zayatz == pytest.approx(2.0)
    assert found.slide_negative_binomial == 2.0
    assert found.uniques == pytest.approx(2.0)


def test_estimates_without_uniques_or_without_pairs() -> None:
    none = population_uniques(SampleClasses.of(np.array([2, 2, 5]), fraction=0.2))
    assert (none.pitman, none.zayatz, none.slide_negative_binomial) == (None, 0.0, 0.0)
    only = population_uniques(SampleClasses.of(np.ones(20, dtype=np.int64), fraction=0.05))
    assert only.pitman is None
    assert only.slide_negative_binomial is None
    assert only.uniques == only.zayatz == pytest.approx(400.0)


@pytest.mark.parametrize("fraction", [0.3, 0.6])
def test_estimates_are_near_a_known_population(fraction: float) -> None:
    rng = np.random.default_rng(11)
    population = 1 + rng.negative_binomial(0.4, 0.15, size=20_000)
    truth = int((population == 1).sum())
    # People are drawn one by one, so that a class has those of its people who are drawn.
    sample = SampleClasses.of(rng.binomial(population, fraction), fraction=fraction)
    found = slide_negative_binomial_uniques(sample)
    assert found is not None
    assert 0.5 * truth < found < 2 * truth


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.1), (1.0, 0.2), (0.3, 0.02)])
@pytest.mark.parametrize("fraction", [0.05, 0.1])
def test_the_slide_model_finds_its_uniques_and_shlosser_too_many_classes(
    alpha: float, beta: float, fraction: float
) -> None:
    rng = np.random.default_rng(1)
    many = 200_000
    population = 1 + rng.negative_binomial(alpha, beta, size=many)
    truth = int((population == 1).sum())
    sample = SampleClasses.of(rng.binomial(population, fraction), fraction=fraction)
    found = slide_negative_binomial_uniques(sample, classes=many)
    assert found is not None
    assert found == pytest.approx(truth, rel=0.08)
    # What is wrong at small fractions is the number of classes, and the uniques follow it.
    guessed = slide_negative_binomial_uniques(sample)
    assert guessed is not None
    assert (guessed > found) == (shlosser_classes(sample) > many)


def test_the_interval_is_about_the_estimate_and_repeats_with_its_seed() -> None:
    sizes = drawn_sizes(2, 0.3)
    estimate = population_uniques(SampleClasses.of(sizes, fraction=0.3)).uniques
    found = bootstrap_interval(sizes, fraction=0.3, draws=40, seed=5)
    assert found.low < estimate < found.high
    assert found == bootstrap_interval(sizes, fraction=0.3, draws=40, seed=5)
    assert found != bootstrap_interval(sizes, fraction=0.3, draws=40, seed=6)


@pytest.mark.parametrize("fraction", [0.0, -0.1, 1.5, math.nan])
def test_fractions_that_are_none(fraction: float) -> None:
    with raises(SettingsError, code="out-of-range", key="fraction", found=str(fraction)):
        SampleClasses.of(np.array([1, 2]), fraction=fraction)


def test_no_classes() -> None:
    with raises(SettingsError, code="too-few"):
        SampleClasses.of(np.array([0, 0]), fraction=0.5)


def test_weights_below_one() -> None:
    with raises(SettingsError, code="weights-below-one", key="weights"):
        individual_risks(np.array([2, 3]), np.array([4.0, 2.9]))
