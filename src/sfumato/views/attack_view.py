"""The attacks on a file as ``sfumato attack`` shows them: counts, and nobody's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.risk.attacks.attack import AttackFinding, ExposedClass
    from sfumato.risk.attacks.composition import CompositionFinding
    from sfumato.risk.attacks.file_attacks import FileAttacks
    from sfumato.risk.linking_attack import AttackResult


@dataclass(frozen=True, kw_only=True)
class AttackLine:
    """One attack on one sensitive column: of so many rows, how many it is right about."""

    attack: str
    sensitive: str
    knows: str
    learns: str
    rows: int
    learnt: int
    share: float
    by_chance: float
    draws: int
    worst: tuple[ExposedClass, ...]


@dataclass(frozen=True, kw_only=True)
class AttackView:
    """All attacks on a file; compositions and linking by sensitive column."""

    file: str
    known: tuple[str, ...]
    rows: int
    classes: int
    attacks: tuple[AttackLine, ...]
    compositions: Mapping[str, CompositionFinding]
    linking: Mapping[str, AttackResult]
    succeeds: bool


def attack_view(file: str, found: FileAttacks) -> AttackView:
    """Return what is shown of the attacks on a file."""
    return AttackView(
        file=file,
        known=found.known,
        rows=found.rows,
        classes=found.classes,
        attacks=tuple(
            _line(sensitive, finding)
            for sensitive, findings in found.findings.items()
            for finding in findings
        ),
        compositions=found.compositions,
        linking=found.linking,
        succeeds=found.succeeds,
    )


def _line(sensitive: str, finding: AttackFinding) -> AttackLine:
    return AttackLine(
        attack=finding.attack,
        sensitive=sensitive,
        knows=finding.knows,
        learns=finding.learns,
        rows=finding.people,
        learnt=finding.learnt,
        share=finding.share,
        by_chance=finding.by_chance,
        draws=finding.draws,
        worst=finding.worst,
    )
