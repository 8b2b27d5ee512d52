"""The metrics that constraints name, looked up among those that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.measures.catalogue import measure

if TYPE_CHECKING:
    from collections.abc import Collection

    from sfumato.front.decisions.pick_rule import Constraint, PickRule


def check_constraint_names(rule: PickRule, known: Collection[str]) -> tuple[str, ...]:
    """Return, for every constraint of a rule, the name of its metric as ``known`` has it.

    ``known`` are the names of all metrics that can be asked about: the keys of a mapping of
    metrics, with ``suppressed`` if that is known. Any other name is an error that
    points at it and suggests the closest. Look values up by the returned names and not by those
    of the constraints, which may be written in another way (``recursive-l(c=3.0)``):

    >>> from sfumato.front.decisions.pick_rule import read_constraints
    >>> rule, metrics = read_constraints("k>=5, recursive-l(c=3.0)>=2"), {"k": 7.0}
    >>> metrics["recursive-l(c=3)"] = 1.0
    >>> names = check_constraint_names(rule, metrics)
    >>> [str(c) for c, name in zip(rule.constraints, names) if not c.holds(metrics[name])]
    ['recursive-l(c=3.0)>=2']
    """
    return tuple(_known_name(rule, constraint, known) for constraint in rule.constraints)


def _known_name(rule: PickRule, constraint: Constraint, known: Collection[str]) -> str:
    name = constraint.name
    if name in known:
        return name
    expected = tuple(sorted(known))
    try:
        name = str(measure(name))
    except SettingsError as error:
        written_out = "(" in name
        raise rule.fault(
            constraint.place,
            f"there is no metric {name!r}{f': {error}' if written_out else ''}",
            code="unknown-metric",
            found=repr(name),
            expected=expected,
            suggestion=None if written_out else closest(name, known, cutoff=0.5),
        ) from None
    if name not in known:
        raise rule.fault(
            constraint.place,
            f"there is no metric {name!r} here",
            code="unmeasured-metric",
            found=repr(name),
            expected=expected,
            remedy="or add it to the objectives of the study",
        )
    return name
