from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("text", "character", "says"),
    [
        ("", 1, "expected a constraint"),
        ("k>=5,,t<=1", 6, "expected a constraint"),
        ("k>=5,", 6, "expected a constraint"),
        ("k", 2, "expected a comparison after 'k'; write it in quotes: --pick 'k>=5'"),
        ("suppressed", 11, "write it in quotes: --pick 'suppressed<=100'"),
        ("normalized-loss", 16, "write it in quotes: --pick 'normalized-loss<=0.2'"),
        ("own-privacy", 1, "'own-privacy' is neither knee nor flat"),
        ("kne", 1, "'kne' is no rule; did you mean knee?"),
        ("knie", 1, "did you mean knee?"),
        ("KNEE", 1, "did you mean knee?"),
        ("k>=5,flt", 6, "did you mean flat?"),
        ("banana", 1, "'banana' is neither knee nor flat, and nothing is compared with it"),
        ("K", 1, "did you mean k? write a constraint in quotes: --pick 'k>=5'"),
        ("k>=2,5", 6, "asked for as id=5; if 2.5 is meant, write it with a point"),
        ("t<=0 , 25 , knee", 8, "asked for as id=25; if 0.25 is meant, write it with a point"),
        ("k>=1,500", 6, "if 1500 is meant, write it without a comma; if 1.500 is meant"),
        ("k>=2.5,5", 8, "asked for as id=5 where a rule asks for more"),
        ("k>=2 and 5", 10, "asked for as id=5 where a rule asks for more"),
        (" 7,k>=5", 2, "asked for as id=7 where a rule asks for more"),
        ("k=5", 2, "'=' is not one of"),
        ("k=>5", 2, "'=>' is not one of"),
        ("k>=", 4, "expected a number"),
        ("k>=five", 4, "expected a number"),
        ("k>=1e999", 4, "expected a number"),
        ("normalized-loss<=20%", 20, "such as 0.2"),
        ("k>=5 t<=1", 6, "comma or 'and'"),
        ("k>=5and", 4, "expected a number"),
        ("knee,flat", 6, "not two"),
        ("3,4", 3, "not two"),
        ("id>=7", 3, "id=7"),
        ("id=x", 4, "whole number"),
        ("(k>=5)", 1, "expected a constraint"),
        ("recursive-l(c=3>=2", 12, "expected a comparison"),
        ("-7", 1, "expected a constraint"),
        ("7.5", 1, "expected a constraint"),
    ],
)
def test_errors_point_at_the_character(text: str, character: int, says: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_pick_rule(text)
    first, shown, mark = str(caught.value).split("\n")
    assert f"at character {character}:" in first
    assert says in first
    assert shown == "    " + text
    assert mark == "    " + " " * (character - 1) + "^"


def test_a_table_has_nothing_to_choose() -> None:
    assert read_constraints("k>=5 and t<=0.2").said == "k>=5 and t<=0.2"
    for text, said in {"k>=5,knee": "(knee)", "7": "(id=7)", "k>=5,id=7": "(id=7)"}.items():
        with pytest.raises(SettingsError, match="write constraints only, such as k>=5") as caught:
            read_constraints(text)
        assert said in str(caught.value)


def test_a_line_break_does_not_move_the_mark() -> None:
    with pytest.raises(SettingsError, match=r"\n    k>=5 ,\n    {7}\^$".replace("{7}", " {6}")):
        read_pick_rule("k>=5\n,")


@given(
    column=st.text(min_size=1),
    bound=st.floats(allow_nan=False, allow_infinity=False, width=32),
)
def test_any_column_name_can_stand_in_a_measure(column: str, bound: float) -> None:
    measure = write_measure("s-l", {"column": column})
    rule = read_pick_rule(f"{measure}>={bound!r} and k>=2")
    assert [c.name for c in rule.constraints] == [measure, "k"]
    assert rule.constraints[0].bound == bound
