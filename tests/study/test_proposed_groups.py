from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.hierarchies.builders import Groups
from sfumato.study.proposal.ordered_categories import in_order
from sfumato.study.proposal.proposed_groups import proposed_groups
from sfumato.study.proposal.scales import SCALES
from sfumato.study.proposal.value_behaviour import ValueBehaviour

TEXTS = st.text("abor (2)*", min_size=1, max_size=8)
RARE = "a value that nobody listed"


@st.composite
def behaviours(draw: st.DrawFn) -> ValueBehaviour:
    values = draw(st.lists(TEXTS, min_size=1, max_size=12, unique=True))
    rare = draw(st.booleans())
    rows = [[draw(st.integers(0, 9)), draw(st.integers(1, 9))] for _ in values] + [
        [0, draw(st.integers(1, 9)) if rare else 0]
    ]
    return ValueBehaviour(values=tuple(sorted(values)), counts=np.array(rows), towards=("age",))


@given(behaviour=behaviours(), most=st.integers(1, 4))
def test_the_groups_are_a_hierarchy_of_all_values(behaviour: ValueBehaviour, most: int) -> None:
    proposed = proposed_groups(behaviour, most=most)
    rare = behaviour.rows[-1] > 0
    if proposed is None:
        assert len(behaviour.values) == 1 or len(behaviour.values) + rare < 3
        return
    levels, others = proposed.settings["groups"], proposed.settings.get("others")
    assert isinstance(levels, list)
    assert (others is not None) == rare
    assert others is None or isinstance(others, str)
    builder = Groups(levels=levels, others=others)
    occurring = [*behaviour.values, *([RARE] if rare else [])]
    hierarchy = builder.build(occurring, column="x")
    assert sorted(hierarchy.domain.leaves) == sorted(occurring)
    assert len(hierarchy.labels) == proposed.level_count
    # Every level merges something, and its labels differ.
    sizes = [hierarchy.block_count(level) for level in range(proposed.level_count)]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] == 1
    assert all(len(set(labels)) == len(labels) for labels in hierarchy.labels)
    assert proposed_groups(behaviour, most=most) == proposed
    assert proposed.outline == {"groups": sizes[1:-1]}


@pytest.mark.parametrize(
    "values",
    [
        ("low", "medium", "high"),
        ("Very low", "LOW", "Medium", "high", "very-high"),
        ("XS", "S", "M", "L", "XL"),
        ("mild", "moderate", "severe"),
        ("niedrig", "mittel", "hoch"),
        ("gering", "mittel", "hoch"),
        ("leicht", "mäßig", "schwer"),
        ("klein", "mittel", "groß"),
        ("nie", "selten", "gelegentlich", "häufig", "immer"),
        ("schlecht", "mittelmäßig", "gut", "ausgezeichnet"),
        ("trifft gar nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft voll zu"),
        ("faible", "moyen", "élevé"),
        ("petit", "moyen", "grand"),
        ("jamais", "rarement", "parfois", "souvent", "toujours"),
        ("mauvais", "passable", "bon", "très bon", "excellent"),
        ("pas du tout d'accord", "plutôt pas d'accord", "plutôt d'accord", "tout à fait d'accord"),
        ("baja", "media", "alta"),
        ("pequeño", "mediano", "grande"),
        ("nunca", "a veces", "a menudo", "siempre"),
        ("malo", "regular", "bueno", "muy bueno", "excelente"),
        ("totalmente en desacuerdo", "en desacuerdo", "de acuerdo", "totalmente de acuerdo"),
        ("basso", "medio", "alto"),
        ("piccolo", "medio", "grande"),
        ("mai", "raramente", "a volte", "spesso", "sempre"),
        ("scarso", "sufficiente", "buono", "ottimo", "eccellente"),
        ("in disaccordo", "neutrale", "d'accordo", "completamente d'accordo"),
        ("laag", "gemiddeld", "hoog"),
        ("klein", "middelgroot", "groot"),
        ("nooit", "zelden", "soms", "vaak", "altijd"),
        ("slecht", "matig", "goed", "uitstekend"),
        ("helemaal mee oneens", "mee oneens", "neutraal", "mee eens", "helemaal mee eens"),
        ("baixo", "médio", "alto"),
        ("pequeno", "médio", "grande"),
        ("nunca", "raramente", "às vezes", "frequentemente", "sempre"),
        ("ruim", "regular", "bom", "muito bom", "excelente"),
        ("discordo totalmente", "discordo", "neutro", "concordo", "concordo totalmente"),
        ("9", "10", "11"),
        ("0-17", "18-24", "25-64", "65+"),
        ("under 18", "18 to 64", "65 and over"),
        ("<5", "5–9", "10–19", ">=20"),
        ("[0, 10)", "[10, 20)", "[20, 30)"),
        ("1", "2", "3 or more"),
    ],
)
def test_orders_are_recognized(values: tuple[str, ...]) -> None:
    assert in_order(sorted(values)) == values
    assert in_order(values[::-1]) == values


@pytest.mark.parametrize(
    "values",
    [
        ("red", "green"),
        ("low", "blue", "high"),
        ("0-10", "5-15"),
        ("moderate", "medium", "high"),
        ("low", "Low", "high"),
        ("ward 1", "ward 2"),
        ("1", "1.0", "2"),
        ("10-5", "20-30"),
    ],
)
def test_what_has_no_order(values: tuple[str, ...]) -> None:
    assert in_order(values) is None


def test_no_word_of_a_scale_is_in_two_places() -> None:
    for scale in SCALES:
        places = [(word, n) for n, step in enumerate(scale) for word in step.casefold().split("|")]
        assert len(dict(places)) == len(set(places))
        # Every word is found as it stands.
        for low, high in combinations([step.split("|") for step in scale], 2):
            for pair in product(low, high):
                assert in_order(pair[::-1]) == pair


def test_scales_do_not_contradict_each_other() -> None:
    """Two scales that know the same two words agree on which is less."""
    ranks = [
        {w: n for n, step in enumerate(scale) for w in step.casefold().split("|")}
        for scale in SCALES
    ]
    for one, other in combinations(ranks, 2):
        for low, high in combinations(sorted(one.keys() & other.keys()), 2):
            ways = {(r[low] > r[high]) - (r[low] < r[high]) for r in (one, other)} - {0}
            assert len(ways) < 2, (low, high)
