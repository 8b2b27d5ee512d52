"""A workload of COUNT queries: drawn at random, written by somebody, or both."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, located
from sfumato.errors.suggestions import closest
from sfumato.utility.random_queries import RandomWorkload

if TYPE_CHECKING:
    from pathlib import Path

_KEYS = ("queries", "random")


@dataclass(frozen=True, kw_only=True)
class Workload:
    """The ``queries`` that somebody wrote, and those drawn at random, if any."""

    queries: tuple[str, ...] = ()
    random: RandomWorkload | None = field(default_factory=RandomWorkload)

    def __post_init__(self) -> None:
        given: object = self.queries
        several = tuple(given) if isinstance(given, list | tuple) else None
        if several is None or not all(isinstance(each, str) for each in several):
            raise SettingsError.wrong_setting(
                "queries",
                given,
                "a list of texts like 'age between 30 and 40 and sex = F'",
                code="wrong-type",
            )
        object.__setattr__(self, "queries", several)


def read_workload(path: Path) -> Workload:
    """Return the workload of a TOML file: ``queries``, a list, and the table ``random``.

    Without the table no query is drawn at random.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError.unreadable(path, error) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} is not TOML: {error}",
            code="not-toml",
            file=path,
            expected='a list like queries = ["age between 30 and 40"], a table [random], or both',
        ) from None
    with located(file=path):
        _check_keys(content, _KEYS, what="workload")
        drawn = content.get("random")
        if drawn is not None and not isinstance(drawn, dict):
            raise SettingsError.wrong_setting("random", drawn, "a table", code="wrong-type")
        if drawn is not None:
            _check_keys(drawn, tuple(f.name for f in fields(RandomWorkload)), what="[random]")
        if not content:
            raise SettingsError(
                "the workload has no queries", code="too-few", key="queries", expected="some"
            )
        return Workload(
            queries=content.get("queries", ()),
            random=None if drawn is None else RandomWorkload(**drawn),
        )


def _check_keys(table: dict[str, object], known: tuple[str, ...], *, what: str) -> None:
    for key in table:
        if key not in known:
            raise SettingsError(
                f"{what} has no key {key!r}",
                code="unknown-key",
                key=key,
                expected=known,
                suggestion=closest(key, known),
            )
