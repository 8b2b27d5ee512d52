"""What a release shows together with earlier ones of the same people, and whether it may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import UnmetError
from sfumato.errors.hint import Hint
from sfumato.errors.listing import counted, listed
from sfumato.front.decisions.criterion import MeasureCriterion, read_criterion
from sfumato.measures.evaluation import evaluate
from sfumato.release.ledger.current_columns import current_columns
from sfumato.release.ledger.joint_classes import (
    classes_shown,
    joint_classes,
    people_alone,
    told_by_differencing,
)
from sfumato.release.ledger.keyed_hashes import sums_by
from sfumato.release.ledger.source_content import SAME_PEOPLE
from sfumato.release.release_request import ReleasedValues

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes
    from sfumato.classes.anonymization import Anonymization
    from sfumato.classes.suppression import ClassCriterion
    from sfumato.release.ledger.keyed_hashes import KeyedHashes
    from sfumato.release.ledger.ledger import LedgerEntry
    from sfumato.release.ledger.shown_classes import Reapplied
    from sfumato.release.ledger.source_content import SourceContent

_INSTEAD = (
    "release the recoding of then, or a coarser one; have the ledger forget a release that nobody "
    "got"
)


@dataclass(frozen=True, kw_only=True)
class EarlierRelease:
    """An earlier release of the same people.

    ``shared`` is about which share of the smaller source is in the other too; ``lacking`` says why
    its classes cannot be found again, if so. ``changed`` counts the groups of people that this
    release shows again but for fewer than the required k.
    """

    id: str
    file: str
    created: str
    k: int
    shared: float
    changed: int = 0
    lacking: str | None = None


@dataclass(frozen=True, kw_only=True)
class Composition:
    """What this release shows together with all earlier ones of the same people.

    ``k`` is that of the joint classes, ``alone`` how many people, or rows, are in one by
    themselves, and ``values`` what the measures of the policy have there. ``missed`` are the
    criteria that do not hold. What ``adds`` nothing tells nobody apart whom the earlier releases
    do not; ``differencing`` says that statistics of a few can be computed from those of many.
    ``accepted`` says that the publisher wants it all the same.
    """

    earlier: tuple[EarlierRelease, ...] = ()
    k: int | None = None
    alone: int | None = None
    classes: int | None = None
    values: Mapping[str, float] | None = None
    required: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    adds: bool = False
    differencing: bool = False
    accepted: bool = False

    @property
    def refused(self) -> bool:
        """Whether this may not be released unless it is accepted."""
        return bool(self.missed) or self.differencing or any(e.lacking for e in self.earlier)


@dataclass(frozen=True, kw_only=True, eq=False)
class ComposedRelease:
    """The release that is to be looked at: its classes, what it promises and what it must meet."""

    anonymization: Anonymization
    k: int
    values: ReleasedValues
    required: tuple[ClassCriterion, ...]


def composed(
    release: ComposedRelease,
    entries: Sequence[LedgerEntry],
    content: SourceContent,
    hashes: KeyedHashes,
    *,
    accepted: bool = False,
) -> Composition:
    """Return what a release shows together with those of the ledger that are of the same people."""
    table = release.anonymization.table
    shares = {entry.id: content.shared(entry.source) for entry in entries}
    same = [entry for entry in entries if shares[entry.id] >= SAME_PEOPLE]
    if not same:
        return Composition(accepted=accepted)
    columns = current_columns(table, hashes)
    own = classes_shown(release.anonymization)
    promised = min([release.k, *(entry.k for entry in same)])
    required = _required(release.required, promised)
    least = max([each.least_size or 1 for each in required])
    known: list[Codes] = []
    earlier = []
    differencing = False
    for entry in same:
        found = entry.shown.reapplied(columns)
        changed = 0
        if not isinstance(found, str):
            known.append(found.classes)
            changed = _changed(release.anonymization, own, entry, found, least)
            both = (entry.values, release.values)
            differencing |= changed > 0 and set(both) == {ReleasedValues.MICROAGGREGATED}
        earlier.append(
            EarlierRelease(
                id=entry.id,
                file=entry.file,
                created=entry.created,
                k=entry.k,
                shared=shares[entry.id],
                changed=changed,
                lacking=found if isinstance(found, str) else None,
            )
        )
    if not known:
        return Composition(earlier=tuple(earlier), accepted=accepted)
    joint = joint_classes(table, [*known, own])
    # A further release can only split the classes that are shown, and show people who were not: as
    # many classes are the same classes.
    adds = int(joint.kept.sum()) > int(joint_classes(table, known).kept.sum())
    model = joint.model
    asked = [each.measure for each in required if isinstance(each, MeasureCriterion)]
    values = evaluate(asked, model).of()
    missed = [
        str(each)
        for each in required
        if not (
            each.met_by(values[str(each.measure)])
            if isinstance(each, MeasureCriterion) and str(each.measure) in values
            else not bool(each.failing(model.batch)[joint.kept].any())
        )
    ]
    return Composition(
        earlier=tuple(earlier),
        k=joint.k,
        alone=people_alone(joint),
        classes=int(joint.kept.sum()),
        values=values,
        required=tuple(map(str, required)),
        missed=tuple(missed) if adds else (),
        adds=adds,
        differencing=differencing,
        accepted=accepted,
    )


def check_composition(composition: Composition, *, counts: str) -> None:
    """Refuse a release that shows too much together with earlier ones, unless it is accepted.

    ``counts`` is what the classes count: people or rows.
    """
    if composition.accepted or not composition.refused:
        return
    earlier = composition.earlier
    parts = []
    if composition.missed:
        parts.append(
            f"their joint classes miss {' and '.join(composition.missed)}: they have k = "
            f"{composition.k:,}, and {composition.alone:,} {counts} are alone in one"
        )
    if composition.differencing:
        changed = sum(each.changed for each in earlier)
        parts.append(
            f"{counted(changed, 'group')} of {counts} changed by a few between microaggregated "
            "releases, whose statistics then tell the values of these few"
        )
    parts += [
        f"the classes of {each.file} cannot be found again, since {each.lacking}"
        for each in earlier
        if each.lacking
    ]
    files = listed([f"{each.file} (k = {each.k:,}, {each.created})" for each in earlier], most=5)
    raise UnmetError(
        f"a reader who also holds {counted(len(earlier), 'earlier release')} of the same people, "
        f"{files}, could tell too much: {'; '.join(parts)}",
        code="composition",
        key="require",
        found=None
        if composition.k is None
        else f"k = {composition.k}, alone = {composition.alone}",
        expected=" and ".join(composition.required) or None,
        remedy=Hint(
            python=f"{_INSTEAD} (sf.Ledger.opened().forget(ID)); or accept it with "
            "accept_composition=True",
            file=f"{_INSTEAD} (sfumato ledger --forget); or accept it with --accept-composition",
        ),
    )


def _required(policy: Sequence[ClassCriterion], promised: int) -> tuple[ClassCriterion, ...]:
    """Return what joint classes must meet: the policy, and the least k promised if it has none."""
    if any(each.least_size is not None for each in policy):
        return tuple(policy)
    return (*policy, read_criterion(f"k>={promised}"))


def _changed(
    anonymization: Anonymization,
    own: Codes,
    entry: LedgerEntry,
    found: Reapplied,
    least: float,
) -> int:
    table = anonymization.table
    classes = int(anonymization.kept.sum())
    shown = own >= 0
    return told_by_differencing(
        found.classes,
        own,
        then_people=entry.shown.sizes,
        then_content=entry.shown.contents,
        now_people=np.asarray(anonymization.units[:classes], dtype=np.int64),
        now_content=sums_by(
            own[shown].astype(np.int64),
            found.content[shown] * table.entry_counts[shown].astype(np.uint64),
            classes,
        ),
        least=least,
    )
