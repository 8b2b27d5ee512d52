"""Attacks on the sensitive values of a class: homogeneity, background, skewness, similarity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.risk.attacks.attack import found_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Counts
    from sfumato.risk.attacks.attack import AttackFinding
    from sfumato.risk.attacks.released_classes import ReleasedClasses


def homogeneity(release: ReleasedClasses, *, draws: int = 20, seed: int = 0) -> AttackFinding:
    """Find the people in classes with a single value (Machanavajjhala et al. 2007, §2.1)."""

    def exposed(each: ReleasedClasses) -> Counts:
        return np.where(each.different == 1, each.sizes, 0)

    return found_by(
        exposed,
        release,
        attack="homogeneity",
        knows="the quasi-identifiers of a person",
        learns="the sensitive value, if all of a class have the same",
        draws=draws,
        seed=seed,
    )


def background_knowledge(
    release: ReleasedClasses, *, excluded: int = 1, draws: int = 20, seed: int = 0
) -> AttackFinding:
    """Find the people whose value is left alone once an intruder excludes ``excluded`` others.

    Whoever is in a class of at most m + 1 values can be hit by somebody who knows that the m
    others do not apply (Machanavajjhala et al. 2007, §2.2).
    """
    if excluded < 1:
        raise SettingsError(
            code="out-of-range",
            key="excluded",
            found=str(excluded),
            expected="a number of values that the intruder can exclude, from 1 up",
        )

    def exposed(each: ReleasedClasses) -> Counts:
        return np.where(each.different <= excluded + 1, each.sizes, 0)

    values = "a value" if excluded == 1 else f"{excluded} values"
    return found_by(
        exposed,
        release,
        attack="background-knowledge",
        knows=f"the quasi-identifiers of a person, and {values} that they do not have",
        learns="the sensitive value, if no other is left in the class",
        draws=draws,
        seed=seed,
    )


def skewness(
    release: ReleasedClasses, *, factor: float = 2.0, draws: int = 20, seed: int = 0
) -> AttackFinding:
    """Find the people whose own value is more than ``factor`` times as probable in their class.

    The prior is the share in the whole file (Li et al. 2007, §3.1).
    """
    if not factor > 1:
        raise SettingsError(
            code="out-of-range",
            key="factor",
            found=str(factor),
            expected="how many times as probable a value must get, above 1",
        )

    def exposed(each: ReleasedClasses) -> Counts:
        expected = each.sizes[:, np.newaxis] * each.prior[np.newaxis, :]
        gained: Counts = np.where(each.rows > factor * expected * (1 + 1e-12), each.rows, 0)
        sums: Counts = gained.sum(axis=1)
        return sums

    return found_by(
        exposed,
        release,
        attack="skewness",
        knows="the quasi-identifiers of a person, and the shares of values in the file",
        learns=f"that their value is more than {factor:g} times as probable as elsewhere",
        draws=draws,
        seed=seed,
    )


def similarity(
    release: ReleasedClasses,
    group_of: Mapping[str, str],
    *,
    draws: int = 20,
    seed: int = 0,
) -> AttackFinding:
    """Find the people in classes whose values are all of one group (Li et al. 2007, §3.2).

    ``group_of`` has the group of every value, as a level of a hierarchy of them.
    """
    unknown = [value for value in release.values if value is not None and value not in group_of]
    if unknown:
        raise SettingsError(
            f"the groups do not have {len(unknown):,} of the values of column "
            f"{release.sensitive!r}",
            code="value-not-in-hierarchy",
            column=release.sensitive,
            key="groups",
            expected="a group for every sensitive value",
        )
    names = sorted(set(group_of.values()))
    place = {name: number for number, name in enumerate(names)}
    own = np.zeros((len(release.values), len(names) + 1), dtype=np.int64)
    for number, value in enumerate(release.values):
        own[number, len(names) if value is None else place[group_of[value]]] = 1

    def exposed(each: ReleasedClasses) -> Counts:
        groups = ((each.rows @ own) > 0).sum(axis=1)
        return np.where(groups == 1, each.sizes, 0)

    return found_by(
        exposed,
        release,
        attack="similarity",
        knows="the quasi-identifiers of a person",
        learns="the group of their sensitive value, if all of a class have values of one group",
        draws=draws,
        seed=seed,
    )
