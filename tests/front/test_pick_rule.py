from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.front.decisions.pick_rule import Choice, read_constraints, read_pick_rule
from sfumato.plugins.member_text import write_measure


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k>=5", "k>=5"),
        ("k > 5", "k>5"),
        ("k≥5", "k>=5"),
        (" normalized-loss <= 0.2 ", "normalized-loss<=0.2"),
        ("t<.3", "t<0.3"),
        ("k>=5,t<=0.3", "k>=5 and t<=0.3"),
        ("k>=5 and t<=0.3 , suppressed<=1e2", "k>=5 and t<=0.3 and suppressed<=100"),
        ("recursive-l(c=3)>=2", "recursive-l(c=3)>=2"),
        ("s-l(column='a >= (b), and \\' c')>10", "s-l(column='a >= (b), and \\' c')>10"),
        ("loss<=-1.5", "loss<=-1.5"),
    ],
)
def test_constraints(text: str, said: str) -> None:
    assert read_pick_rule(text).said == said


@pytest.mark.parametrize("text", ["7", "id=7", " id = 7 ", "id==7"])
def test_ids(text: str) -> None:
    assert read_pick_rule(text).id == 7


def test_choices_go_with_constraints() -> None:
    rule = read_pick_rule("k>=5,knee")
    assert (rule.choice, rule.said) == (Choice.KNEE, "k>=5")
    assert read_pick_rule("flat and t<=0.2").choice is Choice.FLAT


@pytest.mark.parametrize(
    ("text", "character", "expected", "suggestion"),
    [
        ("", 1, "k>=5", None),
        ("k>=5,,t<=1", 6, "k>=5", None),
        ("k>=5,", 6, "k>=5", None),
        ("k", 2, "--pick 'k>=5'", None),
        ("suppressed", 11, "--pick 'suppressed<=100'", None),
        ("normalized-loss", 16, "--pick 'normalized-loss<=0.2'", None),
        ("own-privacy", 1, "--pick 'k>=5'", None),
        ("kne", 1, None, "knee"),
        ("knie", 1, None, "knee"),
        ("KNEE", 1, None, "knee"),
        ("k>=5,flt", 6, None, "flat"),
        ("banana", 1, "--pick 'k>=5'", None),
        ("K", 1, "--pick 'k>=5'", "k"),
        ("k>=2,5", 6, "id=5 for a solution, or 2.5 ", None),
        ("t<=0 , 25 , knee", 8, "id=25 for a solution, or 0.25 ", None),
        ("k>=1,500", 6, "id=500 for a solution, or 1.500 with a decimal point, or 1500 ", None),
        ("k>=2.5,5", 8, "id=5", None),
        ("k>=2 and 5", 10, "id=5", None),
        (" 7,k>=5", 2, "id=7", None),
        ("k=5", 2, ">=, >", None),
        ("k=>5", 2, ">=, >", None),
        ("k>=", 4, "a number", None),
        ("k>=five", 4, "a number", None),
        ("k>=1e999", 4, "a number", None),
        ("normalized-loss<=20%", 20, "0.2", None),
        ("k>=5 t<=1", 6, "a comma or 'and'", None),
        ("k>=5and", 4, "a number", None),
        ("knee,flat", 6, "one of them", None),
        ("3,4", 3, "one of them", None),
        ("id>=7", 3, "id=7", None),
        ("id=x", 4, "id=7", None),
        ("(k>=5)", 1, "k>=5", None),
        ("recursive-l(c=3>=2", 12, "a comparison", None),
        ("-7", 1, "k>=5", None),
        ("7.5", 1, "k>=5", None),
    ],
)
def test_errors_point_at_the_character(
    text: str, character: int, expected: str | None, suggestion: str | None
) -> None:
    with raises(SettingsError, code="not-a-rule", key="rule", character=character) as caught:
        read_pick_rule(text)
    assert caught.value.excerpt == text
    assert caught.value.suggestion == suggestion
    if expected is not None:
        assert expected in str(caught.value.expected)


def test_a_table_has_nothing_to_choose() -> None:
    assert read_constraints("k>=5 and t<=0.2").said == "k>=5 and t<=0.2"
    for text, chosen in {"k>=5,knee": "knee", "7": "id=7", "k>=5,id=7": "id=7"}.items():
        with raises(SettingsError, code="not-a-constraint", key="rule", found=chosen):
            read_constraints(text)


def test_a_line_break_does_not_move_the_mark() -> None:
    with raises(SettingsError, code="not-a-rule", character=7) as caught:
        read_pick_rule("k>=5\n,")
    assert str(caught.value).endswith("\n    k>=5 ,\n" + " " * 10 + "^")


@given(
    column=st.text(min_size=1),
    bound=st.floats(allow_nan=False, allow_infinity=False, width=32),
)
def test_any_column_name_can_stand_in_a_measure(column: str, bound: float) -> None:
    measure = write_measure("s-l", {"column": column})
    rule = read_pick_rule(f"{measure}>={bound!r} and k>=2")
    assert [c.name for c in rule.constraints] == [measure, "k"]
    assert rule.constraints[0].bound == bound
