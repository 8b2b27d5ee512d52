"""The statistic that suits the values of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.block_statistics import Statistic
from sfumato.hierarchies.domains.domain import MissingDomain, NumberDomain

if TYPE_CHECKING:
    from sfumato.hierarchies.domains.domain import Domain


def default_statistic(domain: Domain) -> Statistic:
    """Return the statistic that suits a domain where nobody chose one.

    Numbers have a mean; dates, and categories in a natural order such as ZIP codes, a median;
    other categories a mode (Granulation §3.2).

    >>> default_statistic(NumberDomain(low=17, count=74))
    <Statistic.MEAN: 'mean'>
    >>> from sfumato.hierarchies.domains.domain import CategoryDomain
    >>> default_statistic(CategoryDomain(values=("24126", "24129"), ordered=True))
    <Statistic.MEDIAN: 'median'>
    >>> default_statistic(CategoryDomain(values=("Divorced", "Married")))
    <Statistic.MODE: 'mode'>
    """
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if isinstance(known, NumberDomain):
        return Statistic.MEAN
    if known.ordered:
        return Statistic.MEDIAN
    return Statistic.MODE
