"""The minimality attack on a file: no column a level finer was released (Wong et al. 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.label_lookup import locate_labels
from sfumato.risk.attacks.covering import class_of_known, leaves_covered
from sfumato.risk.attacks.finer_groups import FinerGroups, Publisher, finer_groups
from sfumato.risk.attacks.minimality import RefinedClass, minimality
from sfumato.risk.attacks.sampled_minimality import sampled_posteriors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.arrays import Codes, Counts
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.missing import MissingValues
    from sfumato.risk.attacks.released_classes import ReleasedClasses

MOST_ROWS = 200_000
"""In larger files nothing is drawn: then only a finer recoding that one value can fail is tried."""

_MOST_STEPS = 20_000_000
"""Where exact probabilities would take more steps, tables are drawn."""

_MOST_DEALT = 5_000_000
"""So many values are dealt out; in large files there are fewer draws, and a wider error."""

_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class MinimalityFinding:
    """Of how many people more is learnt than the publisher allows, because no finer file came.

    ``learnt`` are those of ``people`` of whom a value has a probability above ``allowed``, given
    that the recoding with some column a level finer was not released; ``greatest`` is the
    greatest such probability, ``credible`` the greatest share in a class. ``tried`` are the columns
    whose finer recoding cannot have failed because of its sizes, and ``column`` the one that
    tells most. ``exact`` says that nothing was drawn at random.
    """

    people: int
    learnt: int
    allowed: float
    credible: float
    greatest: float
    tried: tuple[str, ...]
    column: str | None
    exact: bool


def minimality_of_file(
    release: ReleasedClasses,
    publisher: Publisher,
    *,
    known: Codes,
    sizes: Counts,
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
    draws: int = 400,
    seed: int = 0,
) -> MinimalityFinding | None:
    """Ask of every column what follows from it not being a level finer.

    None if the file is not a global recoding, or its classes do not have the people whom their
    labels cover: then nobody can tell what a finer recoding would be.
    """
    levels = _levels(release, hierarchies, missing)
    if levels is None:
        return None
    covers = leaves_covered(release.names, release.texts, hierarchies, missing)
    class_of = class_of_known(release.names, release.labels, covers, known, hierarchies)
    people = np.zeros(release.sizes.shape[0], dtype=np.int64)
    np.add.at(people, class_of[class_of >= 0], sizes[class_of >= 0])
    if (class_of < -1).any() or (people != release.sizes).any():
        return None
    shares = release.rows / np.maximum(release.sizes, 1)[:, np.newaxis]
    credible = float(shares.max(initial=0.0))
    allowed = float(publisher.most_share)
    rng = np.random.default_rng(seed)
    tried, exact, greatest, best = [], True, credible, None
    told = np.zeros(known.shape[1], dtype=np.bool_)
    for name, level in levels.items():
        if level <= publisher.minimum_levels.get(name, 0):
            continue
        place = list(hierarchies).index(name)
        blocks = hierarchies[name].levels[level - 1][known[place]]
        finer = finer_groups(release, class_of, blocks, sizes, publisher)
        if finer is None:
            continue
        found = _posteriors(finer, publisher, draws, rng)
        if found is None:
            continue
        tried.append(name)
        exact &= found.exact
        for each, above, most in found.of_groups(allowed):
            if most > greatest:
                greatest, best = most, name
            told |= finer.known_in(each, above)
    return MinimalityFinding(
        people=release.people,
        learnt=int(sizes[told].sum()),
        allowed=allowed,
        credible=credible,
        greatest=greatest,
        tried=tuple(tried),
        column=best,
        exact=exact,
    )


def _levels(
    release: ReleasedClasses,
    hierarchies: Mapping[str, PartitionedDomain],
    missing: MissingValues,
) -> dict[str, int] | None:
    """Return the level of every column that could be finer; None if some column has none."""
    found = {}
    for name, texts in zip(release.names, release.texts, strict=True):
        used = np.unique(release.labels[release.names.index(name)])
        shown = [missing.label if texts[code] is None else str(texts[code]) for code in used]
        level = locate_labels(hierarchies[name], shown).level
        if level is None:
            return None
        if level > 0:
            found[name] = level
    return found


@dataclass(frozen=True, kw_only=True)
class _Posteriors:
    """The greatest probability of a value in every group of some classes, and its error."""

    greatest: tuple[tuple[float, ...], ...]
    error: float
    exact: bool

    def of_groups(self, allowed: float) -> Iterator[tuple[int, tuple[int, ...], float]]:
        """Yield every class with its groups above what is allowed, and the greatest of them."""
        for number, row in enumerate(self.greatest):
            above = tuple(
                g for g, each in enumerate(row) if each > allowed + self.error + _ROUNDING
            )
            if above:
                yield number, above, max(row)


def _posteriors(
    finer: FinerGroups, publisher: Publisher, draws: int, rng: np.random.Generator
) -> _Posteriors | None:
    """Return what follows if some value fails the finer recoding; None if none can."""
    failing = {
        value
        for each in finer.classes
        for value, having in enumerate(each.values)
        for size in each.sizes
        if size >= publisher.k and min(having, size) > publisher.most_share * size
    }
    if not failing:
        return None
    steps = sum(len(each.sizes) ** 2 * sum(each.sizes) for each in finer.classes)
    if len(failing) == 1 and steps * max(each.most for each in finer.classes) <= _MOST_STEPS:
        (value,) = failing
        exact = minimality(
            [RefinedClass(sizes=each.sizes, having=each.values[value]) for each in finer.classes],
            most_share=publisher.most_share,
            least=publisher.k,
        )
        return (
            None if exact is None else _Posteriors(greatest=exact.posteriors, error=0.0, exact=True)
        )
    rows = sum(sum(each.sizes) for each in finer.classes)
    if rows > MOST_ROWS:
        return None
    drawn = sampled_posteriors(
        finer.classes,
        most_share=publisher.most_share,
        least=publisher.k,
        draws=max(100, min(draws, _MOST_DEALT // rows)),
        rng=rng,
    )
    if drawn is None:
        return None
    return _Posteriors(greatest=drawn.greatest, error=drawn.error, exact=False)
