"""The text of a rule that picks from a front, and what it asks for.

    rule       = term { ("," | "and") term }
    term       = "policy" | "knee" | "flat" | [ "id" "=" ] whole number | freedom | constraint
    freedom    = "global" | "partitions" | "local"
    constraint = measure ( ">=" | ">" | "<=" | "<" ) number

A measure is written as everywhere: ``k``, ``recursive-l(c=3)``, ``s-l(column='a, b')``. A number
without ``id=`` is a solution only if it is the whole rule: in ``k>=2,5`` it is a decimal comma.
"""

from __future__ import annotations

import enum
import math
import operator
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.front.decisions.metric import SUPPRESSED, metric_named
from sfumato.measures.catalogue import measure_names
from sfumato.measures.measure import Direction
from sfumato.recoding.recoding import FREEDOMS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.arrays import Counts, Flags, Floats

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
_WHOLE = re.compile(r"\d+(?![\w.])")
_NAME = re.compile(r"[^\W\d][\w-]*")
_PARAMETERS = re.compile(r"\s*\((?:[^()'\"]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")*\)", re.DOTALL)
_COMPARISON = re.compile(r">=|<=|≥|≤|=>|=<|==|>|<|=")
_JOINT = re.compile(r",|and\b")


class Choice(enum.StrEnum):
    """A way of choosing that is not a constraint."""

    POLICY = "policy"
    KNEE = "knee"
    FLAT = "flat"


_HOLDS: dict[str, Callable[[Any, float], Any]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """A value and what it must be at least or at most."""

    name: str
    comparison: str
    bound: float
    place: int

    def __str__(self) -> str:
        return f"{self.name}{self.comparison}{self.bound:.15g}"

    @property
    def at_least(self) -> bool:
        """Whether the value must be large."""
        return self.comparison.startswith(">")

    @property
    def wanted(self) -> Direction:
        """The direction that the constraint pulls in."""
        return Direction.HIGHER if self.at_least else Direction.LOWER

    def holds(self, value: float) -> bool:
        """Say whether a value satisfies it."""
        return bool(_HOLDS[self.comparison](value, self.bound))

    def holds_of(self, values: Floats | Counts) -> Flags:
        """Say of every value of an array whether it satisfies it."""
        flags: Flags = _HOLDS[self.comparison](values, self.bound)
        return flags


@dataclass(frozen=True, kw_only=True)
class PickRule:
    """What a rule asks for: a solution, a choice, a freedom, constraints, or several of them."""

    text: str
    id: int | None = None
    choice: Choice | None = None
    freedom: str | None = None
    constraints: tuple[Constraint, ...] = ()

    @property
    def said(self) -> str:
        """The constraints and the freedom in one form of writing."""
        freedom = (
            "recoding by partitions"
            if self.freedom == "partitions"
            else (f"{self.freedom} recoding")
        )
        return " and ".join(
            [*map(str, self.constraints), *([] if self.freedom is None else [freedom])]
        )

    def fault(
        self,
        place: int,
        problem: str,
        *,
        code: str = "not-a-rule",
        found: str | None = None,
        expected: str | Sequence[str] | None = None,
        suggestion: str | None = None,
        remedy: str | None = None,
    ) -> SettingsError:
        """Return an error that points at a character of the rule."""
        return SettingsError(
            problem,
            code=code,
            key="rule",
            character=place + 1,
            found=found,
            expected=expected,
            suggestion=suggestion,
            remedy=remedy,
            excerpt=self.text,
        )


def read_pick_rule(text: str) -> PickRule:
    """Return what the text of a rule asks for.

    >>> rule = read_pick_rule("k >= 5, recursive-l(c=3)>2 and knee")
    >>> rule.said, rule.choice
    ('k>=5 and recursive-l(c=3)>2', <Choice.KNEE: 'knee'>)
    >>> read_pick_rule("id=7").id
    7
    >>> read_pick_rule("k>=5, local").said
    'k>=5 and local recoding'
    """
    if not isinstance(text, str):
        raise SettingsError.wrong_setting(
            "rule", text, "a text like 'k>=5', 'knee' or '7'", code="not-a-text"
        )
    return _Reader(text).rule()


def read_constraints(text: str) -> PickRule:
    """Return a rule that has constraints only, as what is demanded of one table.

    >>> read_constraints("k>=5, t<=0.2").said
    'k>=5 and t<=0.2'
    """
    rule = read_pick_rule(text)
    if rule.id is not None or rule.choice is not None or rule.freedom is not None:
        chosen = rule.freedom or (f"id={rule.id}" if rule.choice is None else rule.choice.value)
        raise SettingsError(
            f"the rule {text!r} chooses among solutions ({chosen}), and here a table is measured",
            code="not-a-constraint",
            key="rule",
            found=chosen,
            expected="constraints only, like k>=5",
        )
    return rule


class _Reader:
    """Reads a rule from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def rule(self) -> PickRule:
        ids: list[int] = []
        choices: list[Choice] = []
        freedoms: list[str] = []
        constraints: list[Constraint] = []
        while True:
            self._skip_space()
            start = self.place
            term = self._term()
            if constraints and self._bare(start):
                raise self._fault(start, *self._not_by_itself(start))
            if isinstance(term, Constraint):
                constraints.append(term)
            elif isinstance(term, str) and not isinstance(term, Choice):
                if freedoms:
                    raise self._fault(start, "a rule has two freedoms", "one of them")
                freedoms.append(term)
            elif ids or choices:
                raise self._fault(
                    start, "a rule has two of an id, policy, knee and flat", "one of them"
                )
            elif isinstance(term, Choice):
                choices.append(term)
            else:
                ids.append(term)
            self._skip_space()
            if self.place == len(self.text):
                break
            if self._take(_JOINT) is None:
                raise self._fault(self.place, "two terms are not joined", "a comma or 'and'")
        start = len(self.text) - len(self.text.lstrip())
        if constraints and self._bare(start):
            raise self._fault(start, *self._not_by_itself(start))
        return PickRule(
            text=self.text,
            id=ids[0] if ids else None,
            choice=choices[0] if choices else None,
            freedom=freedoms[0] if freedoms else None,
            constraints=tuple(constraints),
        )

    def _skip_space(self) -> None:
        self._take(_SPACE)

    def _take(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.place)
        if found is None:
            return None
        self.place = found.end()
        return found[0]

    def _bare(self, start: int) -> bool:
        return self.text[start].isdigit()

    def _not_by_itself(self, start: int) -> tuple[str, str]:
        """Say how a number beside constraints can be meant: mostly after a decimal comma."""
        found = re.match(r"\d+", self.text[start:])
        assert found is not None
        ways = [f"id={int(found[0])} for a solution"]
        before = re.search(r"(?<![\d.])(\d+)\s*,\s*$", self.text[:start])
        if before is not None:
            ways.append(f"{before[1]}.{found[0]} with a decimal point")
            if len(found[0]) == 3:
                ways.append(f"{before[1]}{found[0]} without a comma")
        return f"{found[0]} is a number beside constraints", ", or ".join(ways)

    def _term(self) -> Constraint | Choice | str | int:
        start = self.place
        whole = self._take(_WHOLE)
        if whole is not None:
            return int(whole)
        name = self._take(_NAME)
        if name is None or name == "and":
            raise self._fault(
                start,
                "the rule ends" if start == len(self.text) else "this is not a term of a rule",
                "a constraint like k>=5, the id of a solution, policy, knee or flat",
            )
        name += self._take(_PARAMETERS) or ""
        self._skip_space()
        at_comparison = self.place
        comparison = self._take(_COMPARISON)
        if comparison is None:
            if name in tuple(Choice):
                return Choice(name)
            if name in FREEDOMS:
                return name
            raise self._no_comparison(name, start)
        self._skip_space()
        if name == "id":
            return self._id(comparison, at_comparison)
        comparison = {"≥": ">=", "≤": "<="}.get(comparison, comparison)
        if comparison not in _HOLDS:
            raise self._fault(
                at_comparison, f"{comparison!r} is not a comparison", ">=, >, <= or <"
            )
        return Constraint(name=name, comparison=comparison, bound=self._number(name), place=start)

    def _no_comparison(self, name: str, start: int) -> SettingsError:
        """Return the error for a name alone that is not a choice."""
        rule, found = PickRule(text=self.text), repr(name)
        choice = closest(name, (*Choice, *FREEDOMS))
        if choice is not None:
            problem = f"{name!r} is not a choice"
            return rule.fault(start, problem, found=found, suggestion=choice)
        kinds = (*measure_names(), SUPPRESSED)
        if name.partition("(")[0].rstrip() in kinds:
            # A shell takes an unquoted > for itself, and leaves the name.
            return rule.fault(
                self.place,
                f"nothing is compared with {name!r}",
                found=found,
                expected=f"a comparison, in quotes: --pick {_example(name)}",
            )
        near = closest(name, kinds)
        return rule.fault(
            start,
            f"{name!r} is none of policy, knee and flat, nor a freedom ({', '.join(FREEDOMS)}), "
            "and nothing is compared with it",
            found=found,
            expected=f"a constraint in quotes: --pick {_example(near or 'k')}",
            suggestion=near,
        )

    def _fault(self, place: int, problem: str, expected: str) -> SettingsError:
        return PickRule(text=self.text).fault(place, problem, expected=expected)

    def _id(self, comparison: str, at_comparison: int) -> int:
        if comparison not in ("=", "=="):
            raise self._fault(at_comparison, f"{comparison!r} does not fit an id", "id=7")
        whole = self._take(_WHOLE)
        if whole is None:
            raise self._fault(
                self.place, "the id is not a whole number", "the id of a solution, like id=7"
            )
        return int(whole)

    def _number(self, name: str) -> float:
        start = self.place
        number = self._take(_NUMBER)
        if number is None or not math.isfinite(float(number)):
            raise self._fault(start, f"{name!r} is not compared with a number", "a number")
        if self.text[self.place : self.place + 1] == "%":
            share = float(number) / 100
            raise self._fault(self.place, "a share is not in percent", f"{share:g}")
        return float(number)


def _example(name: str) -> str:
    """Return a constraint on a value, in the quotes that a shell needs."""
    try:
        low = metric_named(name).direction is Direction.LOWER
    except SettingsError:
        low = False
    return shlex.quote(f"{name}<={100 if name == SUPPRESSED else 0.2}" if low else f"{name}>=5")
