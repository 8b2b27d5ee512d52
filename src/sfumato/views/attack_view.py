"""The attacks on a file as ``sfumato attack`` shows them: counts, and nobody's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.risk.attacks.attack import AttackFinding, ExposedClass
    from sfumato.risk.attacks.composition import CompositionFinding
    from sfumato.risk.attacks.differencing import DifferencingFinding
    from sfumato.risk.attacks.file_attacks import FileAttacks
    from sfumato.risk.attacks.minimality_of_file import MinimalityFinding
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
    """All attacks on a file; those beyond the classes of one file by sensitive column."""

    file: str
    known: tuple[str, ...]
    rows: int
    classes: int
    attacks: tuple[AttackLine, ...]
    minimality: Mapping[str, MinimalityFinding]
    compositions: Mapping[str, CompositionFinding]
    differences: Mapping[str, DifferencingFinding]
    linking: Mapping[str, AttackResult]
    succeeds: bool

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the attacks found that need more than the classes of one file, in words."""
        return (
            *(_minimality(name, each) for name, each in self.minimality.items()),
            *(_composition(name, each) for name, each in self.compositions.items()),
            *(_differencing(name, each) for name, each in self.differences.items()),
            *(_linking(name, each) for name, each in self.linking.items()),
        )


def _minimality(sensitive: str, found: MinimalityFinding) -> str:
    if not found.tried:
        return (
            f"minimality: that no finer file was released tells nothing of {sensitive}, since no "
            "column could be a level finer by the sizes of its classes"
        )
    drawn = "" if found.exact else ", estimated from tables drawn at random"
    return (
        f"minimality: who knows the policy and that no finer file was released gives {sensitive} "
        f"of {found.learnt:,} of {found.people:,} rows a probability above the "
        f"{found.allowed:.3g} that the policy allows, at most {found.greatest:.3g}{drawn}"
    )


def _composition(sensitive: str, found: CompositionFinding) -> str:
    alone = ", ".join(f"{each:,}" for each in found.alone)
    return (
        f"composition: of {found.people:,} people, the releases alone tell {sensitive} of {alone}, "
        f"together of {found.together:,}"
    )


def _differencing(sensitive: str, found: DifferencingFinding) -> str:
    said = (
        f"differencing: classes less those of another release single out {found.singled_out:,} "
        f"people in {found.groups:,} groups smaller than any class, and tell {sensitive} of "
        f"{found.learnt:,}"
    )
    if found.unusable:
        said += f"; {found.unusable:,} classes do not have the people whom their labels cover"
    return said


def _linking(sensitive: str, found: AttackResult) -> str:
    return (
        f"linking: of {found.people:,} people of the register, {found.matched:,} agree with rows, "
        f"{found.matched_uniquely:,} with one row, {found.matched_rightly:,} rightly; {sensitive} "
        f"is learnt of {found.learnt_rightly:,}"
    )


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
        minimality=found.minimality,
        compositions=found.compositions,
        differences=found.differences,
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
