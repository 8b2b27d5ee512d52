"""The state of a search that was stopped, and whether it belongs to the search that resumes."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sfumato.search.control import SearchControl
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult

_SAID = {
    "method": "by another method",
    "seed": "with another seed",
    "settings": "with other settings",
    "objectives": "for other objectives",
    "suppression": "under another suppression policy",
    "table": "on other data, or with other hierarchies",
    "space": "in another space",
    "constrained": "with other constrained columns",
}
"""What a state is kept with, and how an error says that it differs."""


def state_of(
    problem: Problem, inner: Mapping[str, object], *, method: str, seed: int, settings: object
) -> dict[str, object]:
    """Return a state to keep: that of the method, and what the search was about."""
    return {**_about(problem, method=method, seed=seed, settings=settings), "at": dict(inner)}


def resumed_state(
    problem: Problem, state: Mapping[str, object], *, method: str, seed: int, settings: object
) -> Mapping[str, object]:
    """Return the method's own state, or refuse one that is of another search."""
    about = _about(problem, method=method, seed=seed, settings=settings)
    inner = state.get("at")
    if not isinstance(inner, Mapping) or any(key not in state for key in about):
        raise SettingsError(
            "this is not the state of a search",
            code="broken-state",
            key="resume",
            expected="the state of a result that is not finished",
        )
    wrong = [key for key, value in about.items() if state[key] != value]
    if wrong:
        ran = f" (it was {state['method']!r}, seed {state['seed']})"
        raise SettingsError(
            f"the search that was stopped ran {' and '.join(_SAID[each] for each in wrong)}{ran}",
            code="other-search",
            key="resume",
            found=", ".join(wrong),
            remedy="continue with what it ran with, or start again",
        )
    return inner


@contextmanager
def reading_state() -> Iterator[None]:
    """Refuse a state that cannot be read, because somebody changed it."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SettingsError(
            f"the state of the search was changed ({error})",
            code="broken-state",
            key="resume",
            remedy="start the search again",
        ) from None


def named_part(found: SearchResult) -> SearchResult:
    """Return a result whose state says which search it is of, for a method that chooses one."""
    if found.state is None:
        return found
    return dataclasses.replace(found, state={"by": found.method, "at": dict(found.state)})


def resumed_part(
    control: SearchControl, *, methods: Collection[str]
) -> tuple[str | None, SearchControl]:
    """Return which search was stopped (None if none was), and the control with its own state."""
    if control.resume is None:
        return None, control
    with reading_state():
        by, inner = control.resume["by"], control.resume["at"]
        if not isinstance(by, str) or by not in methods or not isinstance(inner, Mapping):
            raise ValueError(f"it is of {by!r}")
    return by, dataclasses.replace(control, resume=inner)


def _about(problem: Problem, *, method: str, seed: int, settings: object) -> dict[str, object]:
    suppression = problem.suppression
    return {
        "method": method,
        "seed": seed,
        "settings": settings_record(settings),
        "objectives": list(problem.names),
        "suppression": {
            "policy": suppression.policy.value,
            "limit": suppression.limit,
            "k": suppression.k,
            "threshold": suppression.threshold.value,
            **_criteria(problem),
            **({"failing": True} if suppression.failing else {}),
        },
        "table": table_digest(problem),
        **_space(problem),
    }


def _criteria(problem: Problem) -> dict[str, object]:
    """Return the criteria; nothing where there are none, as before there were any."""
    texts = [str(each) for each in problem.suppression.criteria]
    return {"criteria": texts} if texts else {}


def _space(problem: Problem) -> dict[str, object]:
    """Return which recodings are searched; nothing for the lattice, as before there were others."""
    if problem.space is Space.LATTICE:
        return {}
    constrained = [q.name for q in problem.table.quasi_identifiers if q.constrained]
    return {"space": problem.space.value, "constrained": constrained}


def settings_record(settings: object) -> dict[str, object]:
    """Return the settings of a method as JSON has them."""
    if settings is None:
        return {}
    # A settings dataclass is what the catalogue let in.
    record = dataclasses.asdict(settings)  # type: ignore[call-overload]
    return {key: _plain(value) for key, value in record.items()}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def table_digest(problem: Problem) -> str:
    """Return a digest of all that a search sees of the data: the counts and the hierarchies."""
    table = problem.table
    digest = hashlib.sha256()
    for identifier in table.quasi_identifiers:
        digest.update(repr((identifier.name, identifier.weight)).encode())
        if identifier.minimum_level:
            digest.update(f"minimum level {identifier.minimum_level}".encode())
        for level in range(identifier.hierarchy.height + 1):
            digest.update(identifier.hierarchy.levels[level].tobytes())
    columns = [*table.sensitive, *([table.label] if table.label is not None else [])]
    digest.update(repr([(column.name, column.values) for column in columns]).encode())
    for array in (
        table.cell_codes,
        table.cell_sizes,
        table.entry_starts,
        table.entry_codes,
        table.entry_counts,
    ):
        digest.update(array.tobytes())
    if table.people is not None:
        for array in (table.people.alone, table.people.persons, table.people.entries):
            digest.update(array.tobytes())
    if table.statements is not None:
        # The entries have the patterns; what they stand for is said here.
        digest.update(table.statements.satisfied.tobytes())
        digest.update(table.statements.damages.tobytes())
    return digest.hexdigest()
