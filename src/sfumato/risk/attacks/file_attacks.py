"""All attacks that a written file can be put to, by the roles and hierarchies of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sfumato.errors import SettingsError, SourceError, located
from sfumato.hierarchies.ground_distance import HierarchicalDistance
from sfumato.microdata.roles import Role
from sfumato.risk.attacks.attribute_attacks import (
    background_knowledge,
    homogeneity,
    similarity,
    skewness,
)
from sfumato.risk.attacks.composition import composition
from sfumato.risk.attacks.released_classes import ReleasedClasses
from sfumato.risk.linking_attack import DescribedSource, linking_attack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.engines.engine import CountingEngine
    from sfumato.microdata.count_table import CountTable
    from sfumato.risk.attacks.attack import AttackFinding
    from sfumato.risk.attacks.composition import CompositionFinding
    from sfumato.risk.linking_attack import AttackResult
    from sfumato.sources.source import Source


class AttackedStudy(DescribedSource, Protocol):
    """A study whose table is counted, with the engine that counts files."""

    @property
    def engine(self) -> CountingEngine:
        """What counts a file."""
        ...

    @property
    def count_table(self) -> CountTable:
        """The source as it was counted."""
        ...


@dataclass(frozen=True, kw_only=True)
class Intruder:
    """What an intruder knows: how many values they exclude, a register, other releases.

    A value is told by skewness if it is more than ``factor`` times as probable in a class as in
    the file. Chance is the mean over ``draws`` shuffles.
    """

    excluded: int = 1
    factor: float = 2.0
    register: Path | None = None
    others: tuple[Source, ...] = ()
    draws: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise SettingsError(
                code="out-of-range",
                key="draws",
                found=str(self.draws),
                expected="a number of shuffles, from 1 up",
            )


@dataclass(frozen=True, kw_only=True)
class FileAttacks:
    """What the attacks on a file find, by sensitive column; None where they were not asked for."""

    known: tuple[str, ...]
    rows: int
    classes: int
    findings: Mapping[str, tuple[AttackFinding, ...]]
    compositions: Mapping[str, CompositionFinding]
    linking: Mapping[str, AttackResult]

    @property
    def succeeds(self) -> bool:
        """Whether some attack is right about somebody for sure.

        Skewness and similarity tell what is probable, or a group of values, and do not count.
        """
        surely = ("homogeneity",)
        return (
            any(f.learnt for each in self.findings.values() for f in each if f.attack in surely)
            or any(each.together for each in self.compositions.values())
            or any(each.matched_rightly or each.learnt_rightly for each in self.linking.values())
        )


def attack_file(
    file: Source, path: Path, study: AttackedStudy, intruder: Intruder | None = None
) -> FileAttacks:
    """Run every attack on a file that its columns and the intruder's knowledge allow."""
    intruder = intruder or Intruder()
    columns = study.engine.columns(file)
    known = _known(file, study)
    attributes = [a for a in study.attributes if a.role is Role.SENSITIVE and a.name in columns]
    if not attributes:
        raise SourceError(
            f"{file} has no sensitive column of the study, so that there is nothing to learn",
            code="no-sensitive-column",
            file=file,
            expected=tuple(a.name for a in study.attributes if a.role is Role.SENSITIVE),
        )
    findings, compositions, linking = {}, {}, {}
    rows = classes = 0
    for attribute in attributes:
        own = _classes(file, known, attribute.name, study.engine)
        rows, classes = own.people, own.sizes.shape[0]
        findings[attribute.name] = _attribute_attacks(own, attribute.ground_distance, intruder)
        if intruder.others:
            compositions[attribute.name] = _composition(own, intruder.others, study)
        if intruder.register is not None:
            linking[attribute.name] = linking_attack(
                intruder.register, path, study=study, sensitive=attribute.name
            )
    return FileAttacks(
        known=tuple(known),
        rows=rows,
        classes=classes,
        findings=findings,
        compositions=compositions,
        linking=linking,
    )


def _known(file: Source, study: AttackedStudy) -> list[str]:
    """Return the quasi-identifiers that a file has, by which people are known."""
    columns = study.engine.columns(file)
    known = [name for name in study.hierarchies if name in columns]
    if not known:
        raise SourceError(
            f"{file} has no quasi-identifier of the study, so that there is nothing to know "
            "people by",
            code="no-quasi-identifier",
            file=file,
            expected=tuple(study.hierarchies),
        )
    return known


def _classes(
    file: Source, known: Sequence[str], sensitive: str, engine: CountingEngine
) -> ReleasedClasses:
    with located(file=file):
        return ReleasedClasses.of_file(
            file, quasi_identifiers=known, sensitive=sensitive, engine=engine
        )


def _attribute_attacks(
    own: ReleasedClasses, distance: object, intruder: Intruder
) -> tuple[AttackFinding, ...]:
    draws, seed = intruder.draws, intruder.seed
    found = [
        homogeneity(own, draws=draws, seed=seed),
        background_knowledge(own, excluded=intruder.excluded, draws=draws, seed=seed),
        skewness(own, factor=intruder.factor, draws=draws, seed=seed),
    ]
    if isinstance(distance, HierarchicalDistance) and len(distance.hierarchy.labels) > 2:
        # The finest groups of the hierarchy that its distance is measured by.
        hierarchy = distance.hierarchy
        group_of = {
            value: hierarchy.labels[1][block]
            for value, block in zip(
                hierarchy.domain.leaves, hierarchy.levels[1].tolist(), strict=True
            )
        }
        found.append(similarity(own, group_of, draws=draws, seed=seed))
    return tuple(found)


def _composition(
    own: ReleasedClasses, others: Sequence[Source], study: AttackedStudy
) -> CompositionFinding:
    releases = [
        own,
        *(_classes(other, _known(other, study), own.sensitive, study.engine) for other in others),
    ]
    return composition(
        releases,
        known=study.count_table.cell_codes,
        sizes=study.count_table.cell_units,
        hierarchies=study.hierarchies,
        missing=study.missing,
    )
