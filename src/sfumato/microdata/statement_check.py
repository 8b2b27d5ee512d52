"""Checks of confidential statements: known columns, known values, predicates that say something."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.errors.listing import listed
from sfumato.errors.suggestions import closest, did_you_mean
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sfumato.arrays import Flags
    from sfumato.microdata.roles import Attribute
    from sfumato.statements.confidential import ConfidentialStatements
    from sfumato.statements.counted_statements import CountedStatements
    from sfumato.statements.predicate import Atom, Predicate

MOST_COMBINATIONS = 1_000_000
"""Of how many combinations of values it is asked whether they satisfy a predicate."""


def check_roles(
    statements: ConfidentialStatements,
    attributes: Sequence[Attribute],
    *,
    others: Collection[str] = (),
) -> None:
    """Refuse predicates about columns that are not sensitive, and rules about unknown ones.

    ``others`` are columns that the attributes do not list and that rules may name.
    """
    roles = {attribute.name: attribute.role for attribute in attributes}
    sensitive = [name for name, role in roles.items() if role is Role.SENSITIVE]
    for statement in statements.rules:
        for name in statement.protect.columns:
            if roles.get(name) is Role.SENSITIVE:
                continue
            is_what = roles[name].value if name in roles else "not a column of the study"
            raise SettingsError(
                f"the confidential statement {str(statement.protect)!r} is about column {name!r}, "
                f"which is {is_what}",
                code="not-sensitive" if name in roles else "unknown-column",
                column=name,
                key="protect",
                found=repr(str(statement.protect)),
                expected=sensitive or "a sensitive column, and there is none",
                suggestion=None if name in roles else closest(name, sensitive),
            )
        for name in statement.where.columns if statement.where else ():
            if name not in roles and name not in others:
                known = [*roles, *others]
                raise SettingsError(
                    f"the rule {str(statement.where)!r} names column {name!r}, which is not a "
                    "column of the study",
                    code="unknown-column",
                    column=name,
                    key="where",
                    found=repr(str(statement.where)),
                    expected=known,
                    suggestion=closest(name, known),
                )


def rule_columns(
    statements: ConfidentialStatements, counted: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the columns that rules name and nothing else counts, with the values that they name.

    Of such a column nobody has to know more than which rows have one of these values.
    """
    named: dict[str, dict[str, None]] = {}
    for statement in statements.rules:
        for name in statement.where.columns if statement.where else ():
            if name not in counted and statement.where is not None:
                named.setdefault(name, {}).update(dict.fromkeys(statement.where.values_of(name)))
    return {name: tuple(values) for name, values in named.items()}


def check_values(
    predicate: Predicate, has: Callable[[str, str], bool], values: Callable[[str], Collection[str]]
) -> None:
    """Refuse a value that a column does not have: ``has`` is asked, ``values`` suggest another."""
    for name in predicate.columns:
        for value in predicate.values_of(name):
            if has(name, value):
                continue
            known = values(name)
            # A value of the data stands in the text, where a user needs it, and in no field.
            meant = did_you_mean(closest(value, known))
            raise SettingsError(
                f"{str(predicate)!r} names the value {value!r}, which column {name!r} does not "
                f"have{meant}",
                code="unknown-value",
                column=name,
                found=repr(value),
                remedy=f"it has {listed(sorted(known))}" if 0 < len(known) <= 30 else None,
            )


def check_meaning(
    counted: CountedStatements, rows: int, values: Mapping[str, Sequence[str]]
) -> list[str]:
    """Refuse predicates that all rows satisfy, or that none can; note those that none does.

    ``values`` has the values of every sensitive column.
    """
    notes = []
    for predicate, satisfied in zip(
        counted.statements.predicates, counted.satisfied_rows.tolist(), strict=True
    ):
        if satisfied == rows:
            always = "" if not _sometimes(~predicate, values) else " in this table"
            raise SettingsError(
                f"the confidential statement {str(predicate)!r} holds for everybody{always}, so "
                "that no recoding can protect it",
                code="tautology",
                key="protect",
                found=repr(str(predicate)),
                remedy="protect something that not all people share",
            )
        if satisfied:
            continue
        if not _sometimes(predicate, values):
            raise SettingsError(
                f"the confidential statement {str(predicate)!r} can hold for nobody, whatever "
                "their values: it contradicts itself and protects nothing",
                code="contradiction",
                key="protect",
                found=repr(str(predicate)),
                remedy="correct it, or leave it out",
            )
        notes.append(
            f"nobody satisfies the statement {str(predicate)!r}; it protects nothing so far"
        )
    return notes


def unused_rules(counted: CountedStatements) -> list[str]:
    """Return notes about rules that apply to no row."""
    used = np.atleast_1d(counted.applying.any(axis=0))
    return [
        f"the rule {str(statement.where)!r} applies to nobody; {str(statement.protect)!r} protects "
        "nothing by it so far"
        for statement, applies in zip(counted.statements.rules, used, strict=True)
        if not applies
    ]


def _sometimes(predicate: Predicate, values: Mapping[str, Sequence[str]]) -> bool:
    """Say whether some combination of values satisfies a predicate.

    Values that it does not name are alike to it, so that one of them stands for all.
    """
    choices: list[list[str]] = []
    for name in predicate.columns:
        named = [value for value in predicate.values_of(name) if value in values[name]]
        other = next((value for value in values[name] if value not in named), None)
        choices.append([*named, *([] if other is None else [other])])
    if math.prod(map(len, choices)) > MOST_COMBINATIONS:
        return True
    shape = tuple(map(len, choices))
    places = np.indices(shape).reshape(len(shape), -1)

    def truth_of(atom: Atom) -> Flags:
        position = predicate.columns.index(atom.column)
        has = np.array([value in atom.values for value in choices[position]], dtype=np.bool_)
        flags: Flags = has[places[position]]
        return flags

    return bool(predicate.truth(truth_of).any())
