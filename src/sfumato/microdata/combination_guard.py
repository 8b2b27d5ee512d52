"""The guard before the count: a count table that would not fit is refused, with a way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import counted_attributes
from sfumato.microdata.minimum_levels import coarser_values, fit_columns
from sfumato.microdata.roles import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.engine import CountingEngine
    from sfumato.engines.messages.coarsening import CoarsenedValues
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.microdata.count_table import CountedQuasiIdentifier
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.sources.source import Source

MOST_COMBINATIONS = 20_000_000
"""How many combinations are counted unless the study says otherwise: some 4 GB in a search."""

_MOST_NAMED = 3


def check_combinations(
    engine: CountingEngine,
    source: Source,
    attributes: Sequence[Attribute],
    *,
    coarser: CoarserValues,
    released: CoarserValues,
    missing: MissingValues,
    most: int,
    told_apart: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Refuse a source that would give more than about ``most`` combinations.

    Values of ``released`` are counted as what is released in their place. The columns of
    ``told_apart`` are counted beside the others, by the texts that it names.
    Where there are no more rows than that, nothing is estimated. The estimate is that of a sketch
    and a few percent off.
    """
    rows = engine.rows_at_most(source)
    if rows is not None and rows <= most:
        return
    beside = dict(told_apart or {})
    columns = [*(attribute.name for attribute in counted_attributes(attributes)), *beside]
    (about,) = engine.combinations(source, columns, [{**coarser, **released}], told_apart=beside)
    if about <= most:
        return
    guard = _Guard(engine, source, attributes, columns, beside, released, missing, most)
    causes, ways = guard.causes_and_ways()
    raise SourceError(
        f"{source} has about {about:,} different combinations of the columns that are counted, "
        f"more than most_combinations = {most:,}, above which a count table is taken not to fit "
        f"in memory; {causes}",
        code="too-many-combinations",
        file=source,
        key="most_combinations",
        found=str(most),
        remedy=f"{ways}, or raise most_combinations",
    )


class _Guard:
    """Finds out which minimum levels would help; asked only when there are too many."""

    def __init__(
        self,
        engine: CountingEngine,
        source: Source,
        attributes: Sequence[Attribute],
        columns: list[str],
        told_apart: Mapping[str, Sequence[str]],
        released: CoarserValues,
        missing: MissingValues,
        most: int,
    ) -> None:
        self.engine, self.source, self.columns = engine, source, columns
        self.told_apart, self.missing, self.most = told_apart, missing, most
        self.released = released
        self.identifiers = [a for a in attributes if a.role is Role.QUASI_IDENTIFYING]
        self.fitted = fit_columns(engine, source, self.identifiers, attributes, missing=missing)

    def causes_and_ways(self) -> tuple[str, str]:
        """Return in words what causes the number, and what would bring it under the bound."""
        minimum_levels = {a.name: a.minimum_level for a in self.identifiers}
        found = self._estimates(minimum_levels)
        tops = {
            name: estimate
            for (name, level), estimate in found.items()
            if level == self.fitted[name].hierarchy.height
        }
        worst = sorted(tops, key=lambda name: tops[name])[:_MOST_NAMED]
        causes = (
            "most of them by "
            + ", ".join(f"{name!r} (about {tops[name]:,} without it)" for name in worst)
            if worst
            else "every quasi-identifier is one block already"
        )
        single = []
        for attribute in self._raisable:
            enough = [
                level
                for (name, level), estimate in found.items()
                if name == attribute.name and estimate <= self.most
            ]
            if enough:
                level = min(enough)
                single.append((found[attribute.name, level], attribute, level))
        if single:
            # The finest remedy first: the one that keeps the most combinations.
            single.sort(key=lambda each: -each[0])
            return causes, "one of these minimum levels would do: " + "; ".join(
                f"{_minimum_level_text(attribute, level)}, about {estimate:,}"
                for estimate, attribute, level in single[:_MOST_NAMED]
            )
        return causes, self._together(minimum_levels, found)

    @property
    def _raisable(self) -> list[Attribute]:
        """The columns that can have a minimum level."""
        return [a for a in self.identifiers if isinstance(self.fitted[a.name].hierarchy, Hierarchy)]

    @property
    def _others(self) -> str:
        """What is counted beside the columns that can have a minimum level."""
        others = ["the sensitive columns and the label"]
        if self.told_apart:
            others.append("the columns that rules of confidential statements name")
        if len(self._raisable) < len(self.identifiers):
            others.append("the columns with admissible partitions")
        return " or ".join(others)

    def _together(self, minimum_levels: dict[str, int], found: dict[tuple[str, int], int]) -> str:
        """Raise the minimum levels of the worst columns, one after the other, until it fits."""
        raised: dict[str, int] = {}
        by_name = {attribute.name: attribute for attribute in self._raisable}
        while True:
            found = {key: n for key, n in found.items() if key[0] in by_name}
            if not found:
                return (
                    "even with one block for every quasi-identifier that has levels there are too "
                    f"many: {self._others} have too many values; leave one out"
                )
            # A step below the top keeps something of the column, where it has such a step.
            inner = {
                (name, level): n
                for (name, level), n in found.items()
                if level < self.fitted[name].hierarchy.height
            }
            name, level = min(inner or found, key=lambda key: found[key])
            raised[name] = minimum_levels[name] = level
            if found[name, level] <= self.most:
                return "these minimum levels together would do: " + "; ".join(
                    _minimum_level_text(by_name[each], raised[each]) for each in raised
                )
            found = self._estimates(minimum_levels)

    def _estimates(self, minimum_levels: dict[str, int]) -> dict[tuple[str, int], int]:
        """Estimate the combinations with every column, alone, raised to each of its levels."""
        current: dict[str, Mapping[str, str] | CoarsenedValues] = dict(self.released)
        current |= {
            name: self._coarser(name, minimum_level)
            for name, minimum_level in minimum_levels.items()
        }
        asked = [
            (name, level)
            for name, minimum_level in minimum_levels.items()
            for level in self._levels(name, minimum_level)
        ]
        alternatives = [{**current, name: self._coarser(name, level)} for name, level in asked]
        if not asked:
            return {}
        estimates = self.engine.combinations(
            self.source, self.columns, alternatives, told_apart=self.told_apart
        )
        return dict(zip(asked, estimates, strict=True))

    def _levels(self, name: str, minimum_level: int) -> range:
        """Return the levels that a column could be raised to: of partitions, the coarsest."""
        hierarchy = self.fitted[name].hierarchy
        first = minimum_level + 1 if isinstance(hierarchy, Hierarchy) else max(1, hierarchy.height)
        return range(first, hierarchy.height + 1)

    def _coarser(self, name: str, level: int) -> dict[str, str]:
        identifier: CountedQuasiIdentifier = self.fitted[name]
        return coarser_values(identifier, level, self.missing) if level else {}


def _minimum_level_text(attribute: Attribute, level: int) -> str:
    """Return a minimum level as a study names it, and the unit that would be the same."""
    text = f"minimum-level = {level} of column {attribute.name!r}"
    builder = attribute.hierarchy
    if isinstance(builder, Intervals) and level <= len(builder.widths):
        text += f" (or unit = {builder.widths[level - 1]})"
    return text
