"""The k that a published system is asked for, and what its rule of suppression needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from sfumato.search.problem import Problem


def asked_k(problem: Problem, *, method: str) -> int:
    """Return the k of the criteria; refuse criteria that the system does not know."""
    suppression = problem.suppression
    others = suppression.sensitive_criteria
    if others or not suppression.least_size:
        said = ", ".join(map(str, others)) or "no k"
        raise SettingsError(
            f"method {method!r} is published for k-anonymity alone, and the study asks for {said}",
            code="conflicting-settings",
            key="criteria",
            found=said,
            expected='criteria = ["k>=5"] under [search], and no others',
            remedy="or choose the method 'incognito' or 'auto'",
        )
    return suppression.least_size


def check_allows(problem: Problem, rows: int, *, method: str) -> None:
    """Refuse a policy that suppresses fewer rows than the rule of a system may."""
    budget = problem.budget
    if budget is None or budget >= rows:
        return
    raise SettingsError(
        f"method {method!r} suppresses up to {rows:,} rows by its own rule, and the suppression "
        f"policy allows {budget:,}",
        code="conflicting-settings",
        key="limit",
        found=f"{budget:,} rows",
        remedy=f"set policy = 'limit' with limit = {rows} under [suppression]",
    )
