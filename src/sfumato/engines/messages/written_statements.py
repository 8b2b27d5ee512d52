"""What to ask a written file about confidential statements, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.statements.confidential import ConfidentialStatements


@dataclass(frozen=True, kw_only=True, eq=False)
class ProtectingClasses:
    """Who protects what, where the written file cannot tell: by class, from the source.

    ``codes`` has a row for each quasi-identifier and a column for each class, ``labels`` what
    the codes are in the file. ``protecting`` are rows and ``damages`` sums of dm(u, φ), a row for
    each predicate and a column for each class.
    """

    codes: Codes
    labels: tuple[tuple[str | None, ...], ...]
    protecting: Counts
    damages: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenStatements:
    """The confidential statements to look for in a written file.

    ``priors`` is Pr φ of every predicate. ``rule_values`` has the columns that only rules name,
    with the values that they name. ``classes`` is None where the rules are told by the file.
    """

    statements: ConfidentialStatements
    priors: tuple[float, ...]
    rule_values: Mapping[str, tuple[str, ...]]
    classes: ProtectingClasses | None


@dataclass(frozen=True, kw_only=True)
class WrittenSecurity:
    """What the rows of a file tell: the insecure classes, the sum of risks, who satisfies what."""

    insecure: int
    risk: float
    satisfied: tuple[int, ...]
