"""All attacks that a written file can be put to, by the roles and hierarchies of a study."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from sfumato.risk.attacks.differencing import differencing
from sfumato.risk.attacks.minimality_of_file import minimality_of_file
from sfumato.risk.attacks.publisher import publisher_of
from sfumato.risk.attacks.released_classes import ReleasedClasses
from sfumato.risk.linking_attack import DescribedSource, linking_attack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.classes.suppression import Suppression
    from sfumato.engines.engine import CountingEngine
    from sfumato.microdata.count_table import CountTable
    from sfumato.risk.attacks.attack import AttackFinding
    from sfumato.risk.attacks.composition import CompositionFinding
    from sfumato.risk.attacks.differencing import DifferencingFinding
    from sfumato.risk.attacks.minimality_of_file import MinimalityFinding
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

    @property
    def policy(self) -> Suppression:
        """What every class must meet, and how much may be suppressed for it."""
        ...


@dataclass(frozen=True, kw_only=True)
class Intruder:
    """What an intruder knows: how many values they exclude, a register, other releases.

    A value is told by skewness if it is more than ``factor`` times as probable in a class as in
    the file. Chance is the mean over ``draws`` shuffles.
    """

    excluded: int = 1
    factor: float = 2.0
    register: Source | Path | None = None
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
    """What the attacks on a file find, by sensitive column; None where they were not asked for.

    ``minimality`` has the columns of whose criterion something could follow.
    """

    known: tuple[str, ...]
    rows: int
    classes: int
    findings: Mapping[str, tuple[AttackFinding, ...]]
    minimality: Mapping[str, MinimalityFinding]
    compositions: Mapping[str, CompositionFinding]
    differences: Mapping[str, DifferencingFinding]
    linking: Mapping[str, AttackResult]

    @property
    def succeeds(self) -> bool:
        """Whether some attack is right about somebody for sure.

        Skewness and similarity tell what is probable, or a group of values, and do not count.
        """
        surely = ("homogeneity",)
        return (
            any(f.learnt for each in self.findings.values() for f in each if f.attack in surely)
            or any(each.learnt for each in self.minimality.values())
            or any(each.together for each in self.compositions.values())
            or any(each.learnt or each.singled_out for each in self.differences.values())
            or any(each.matched_rightly or each.learnt_rightly for each in self.linking.values())
        )


def attack_file(
    file: Source, study: AttackedStudy, intruder: Intruder | None = None
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
    findings, compositions, differences, linking, minimal = {}, {}, {}, {}, {}
    rows = classes = 0
    for attribute in attributes:
        own = _classes(file, known, attribute.name, study.engine)
        rows, classes = own.people, own.sizes.shape[0]
        findings[attribute.name] = _attribute_attacks(own, attribute.ground_distance, intruder)
        found = _minimality(own, study, intruder)
        if found is not None:
            minimal[attribute.name] = found
        if intruder.others:
            releases = _releases(own, intruder.others, study)
            compositions[attribute.name] = _composition(releases, study)
            differences[attribute.name] = _differencing(releases, study)
        if intruder.register is not None:
            linking[attribute.name] = linking_attack(
                intruder.register, file, study=study, sensitive=attribute.name
            )
    return FileAttacks(
        known=tuple(known),
        rows=rows,
        classes=classes,
        findings=findings,
        minimality=minimal,
        compositions=compositions,
        differences=differences,
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


def _minimality(
    own: ReleasedClasses, study: AttackedStudy, intruder: Intruder
) -> MinimalityFinding | None:
    publisher = publisher_of(study.policy, rows=study.count_table.rows)
    # With a person key the criteria are about people, and a file shows rows; missing values are
    # not among those that the criteria count.
    unknown = any(value is None or value in study.missing.markers for value in own.values)
    if publisher is None or study.count_table.people is not None or unknown:
        return None
    table = study.count_table
    coarse = dict(zip(table.names, table.minimum_levels, strict=True))
    return minimality_of_file(
        own,
        replace(publisher, minimum_levels=coarse),
        known=study.count_table.cell_codes,
        sizes=study.count_table.cell_sizes,
        hierarchies=study.hierarchies,
        missing=study.missing,
        seed=intruder.seed,
    )


def _releases(
    own: ReleasedClasses, others: Sequence[Source], study: AttackedStudy
) -> list[ReleasedClasses]:
    return [
        own,
        *(_classes(other, _known(other, study), own.sensitive, study.engine) for other in others),
    ]


def _composition(releases: Sequence[ReleasedClasses], study: AttackedStudy) -> CompositionFinding:
    return composition(
        releases,
        known=study.count_table.cell_codes,
        sizes=study.count_table.cell_units,
        hierarchies=study.hierarchies,
        missing=study.missing,
    )


def _differencing(releases: Sequence[ReleasedClasses], study: AttackedStudy) -> DifferencingFinding:
    return differencing(
        releases,
        known=study.count_table.cell_codes,
        sizes=study.count_table.cell_sizes,
        hierarchies=study.hierarchies,
        missing=study.missing,
    )
