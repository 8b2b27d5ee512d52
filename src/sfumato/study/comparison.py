"""Two anonymizations of a study's table compared: by every property, by every comparator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from sfumato.classes.anonymization import Anonymization
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.recoded import recode
from sfumato.compare.catalogue import (
    comparator,
    every_property,
    index_names,
    property_named,
)
from sfumato.compare.comparator import Comparator
from sfumato.compare.comparators.dominance import Dominance
from sfumato.compare.comparators.lexicographic import Lexicographic
from sfumato.compare.comparators.weighted import Weighted
from sfumato.compare.curves.gainers import Gainers, gainers, gainers_by_value
from sfumato.compare.properties.property import Property
from sfumato.compare.quality_index import QualityIndex
from sfumato.compare.tournament import Tournament, tournament
from sfumato.compare.verdict import Outcome
from sfumato.errors import SettingsError, shown
from sfumato.errors.suggestions import closest
from sfumato.front.front import Solution
from sfumato.measures.catalogue import every_measure
from sfumato.measures.evaluation import Metrics, evaluate
from sfumato.pages.notebook import notebook_table
from sfumato.recoding.levels import Levels
from sfumato.recoding.recoding import Recoding
from sfumato.sources.source import source_of
from sfumato.study.description import must_be
from sfumato.study.matched_tables import match_tables, table_label

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.compare.verdict import Verdict
    from sfumato.measures.measure import Measure
    from sfumato.microdata.count_table import CountTable
    from sfumato.search.problem import Problem
    from sfumato.sources.source import ColumnarTable, Source
    from sfumato.study.description import StudyDescription

Recoded: TypeAlias = Mapping[str, int] | Recoding | Solution | Anonymization
"""A recoding of a study's table: levels by name, any recoding, a solution of a front, or one made
otherwise."""

PRIVACY_AND_UTILITY = ("class-size", "row-loss")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison:
    """What the comparators say of two anonymizations.

    ``vectors`` has both vectors of every property, ``verdicts`` the verdicts on each, in the
    order of the comparators, and ``together`` those on several properties at once, which
    ``together_on`` names in their order. ``measures`` are those of the study, for `metrics`.
    """

    first: Anonymization
    second: Anonymization
    vectors: Mapping[str, tuple[PropertyVector, PropertyVector]]
    verdicts: Mapping[str, tuple[Verdict, ...]]
    together: tuple[Verdict, ...]
    together_on: tuple[str, ...]
    measures: tuple[Measure, ...] = ()

    def __repr__(self) -> str:
        properties = ", ".join(self.vectors)
        return f"<Comparison of {self.first.label} and {self.second.label} by {properties}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: which of the two every comparator prefers."""
        sides = {Outcome.BETTER: self.first.label, Outcome.WORSE: self.second.label}

        def better(verdict: Verdict) -> str:
            return sides.get(verdict.outcome, verdict.outcome.value)

        judges = dict.fromkeys(v.comparator for each in self.verdicts.values() for v in each)
        rows = []
        for name, verdicts in self.verdicts.items():
            found = {verdict.comparator: better(verdict) for verdict in verdicts}
            rows.append((name, *(found.get(judge, "") for judge in judges)))
        together = [f"{verdict.comparator}: {better(verdict)}" for verdict in self.together]
        notes = [f"{' and '.join(self.together_on)} together: {', '.join(together)}."]
        return notebook_table(
            f"Which is better: {self.first.label} or {self.second.label}",
            ("property", *judges),
            rows,
            notes=(
                *(notes if together else ()),
                "All verdicts in words are in .sentences, all metrics of both in .metrics.",
            ),
            most=None,
        )

    @cached_property
    def metrics(self) -> tuple[Metrics, Metrics]:
        """All metrics of both that can be computed of them, by the measures of the table."""
        first, second = (
            evaluate(self.measures or every_measure(side.table), side.model)
            for side in (self.first, self.second)
        )
        return first, second

    def gainers(self, name: str) -> Gainers:
        """Return who is better and worse off in the first, by a property."""
        return gainers(*self._vectors_of(name))

    def gainers_by_value(self, name: str, column: str) -> tuple[Gainers, ...]:
        """Return the same for every value of a column, to see on whom the bias falls."""
        return gainers_by_value(*self._vectors_of(name), column)

    def _vectors_of(self, name: str) -> tuple[PropertyVector, PropertyVector]:
        if name not in self.vectors:
            raise SettingsError(
                f"the comparison has no property {name!r}",
                code="unknown-property",
                found=repr(name),
                expected=tuple(self.vectors),
                suggestion=closest(name, self.vectors, cutoff=0.5),
            )
        return self.vectors[name]

    @property
    def sentences(self) -> tuple[str, ...]:
        """All verdicts in plain words."""
        alone = [verdict.sentence for each in self.verdicts.values() for verdict in each]
        return (*alone, *(verdict.sentence for verdict in self.together))


def compare_anonymizations(
    first: Anonymization,
    second: Anonymization,
    *,
    properties: Sequence[Property | str] | Property | str | None = None,
    comparators: Sequence[Comparator | str] | Comparator | str | None = None,
    measures: Sequence[Measure] = (),
) -> Comparison:
    """Compare two anonymizations of one table.

    Indices judge each property by itself; comparators of sets judge those that are named
    together, in their order. Where none is named, these are privacy and utility, class-size and
    row-loss: others of the properties would say the same twice.
    """
    chosen = _properties(properties, first.table)
    judges = _comparators(comparators)
    vectors = {str(one): (one.vector(first), one.vector(second)) for one in chosen}
    alone = [judge for judge in judges if isinstance(judge, QualityIndex | Dominance)]
    sets = [judge for judge in judges if not isinstance(judge, QualityIndex)]
    # Of one property the verdict of dominance is given already.
    sets = [judge for judge in sets if len(chosen) > 1 or judge not in alone]
    names = tuple(vectors) if properties is not None else PRIVACY_AND_UTILITY
    left, right = ([vectors[name][side] for name in names] for side in (0, 1))
    return Comparison(
        first=first,
        second=second,
        vectors=vectors,
        verdicts={
            name: tuple(judge.compare(*pair) for judge in alone) for name, pair in vectors.items()
        },
        together=tuple(judge.compare(left, right) for judge in sets),
        together_on=names,
        measures=tuple(measures),
    )


def comparable(
    study: StudyDescription,
    chosen: Sequence[Recoded | Source | ColumnarTable | str | Path],
    *,
    key: str | None = None,
) -> tuple[Anonymization, ...]:
    """Return anonymizations of one table, from recodings of a study and tables of other tools."""
    sources: list[Source | None] = [
        None if isinstance(one, Mapping | Recoding | Solution | Anonymization) else source_of(one)
        for one in chosen
    ]
    tables = [source for source in sources if source is not None]
    if not tables:
        if key is not None:
            raise SettingsError(
                f"key is {key!r}, and there is no table whose rows are to be matched",
                code="conflicting-settings",
                key="key",
                found=repr(key),
                remedy="leave it out",
            )
        return tuple(anonymization_of(study.problem, _recoded(one)) for one in chosen)
    labels = [table_label(table) for table in tables]
    if len(set(labels)) < len(labels):
        labels = [str(table) for table in tables]
    matched = match_tables(study, tables, key=key, labels=labels)
    found = iter(matched.anonymizations)
    return tuple(
        next(found)
        if source is not None
        else anonymization_of(study.problem, _recoded(one), table=matched.table)
        for one, source in zip(chosen, sources, strict=True)
    )


def relabelled(
    anonymizations: tuple[Anonymization, ...], labels: Sequence[str] | None
) -> tuple[Anonymization, ...]:
    """Return the same under other names, if there are any; they must tell them apart."""
    if labels is None:
        return anonymizations
    given: object = labels
    names = tuple(given) if isinstance(given, tuple | list) else ()
    wanted = len(anonymizations)
    if len(names) != wanted or len(set(names)) != wanted or not all(map(_is_name, names)):
        raise SettingsError(
            code="wrong-length",
            key="labels",
            found=shown(given),
            expected=f"{wanted} different texts, one for each anonymization",
        )
    return tuple(replace(one, label=name) for one, name in zip(anonymizations, names, strict=True))


def _is_name(given: object) -> bool:
    return isinstance(given, str) and bool(given.strip())


def _recoded(given: object) -> Recoded:
    assert isinstance(given, Mapping | Recoding | Solution | Anonymization)
    return given


def anonymization_of(
    problem: Problem,
    recoded: Recoded,
    *,
    threshold: int | None = None,
    label: str = "",
    table: CountTable | None = None,
) -> Anonymization:
    """Return what a recoding makes of the study's rows under its suppression policy.

    ``table`` is another count table of the same rows, where they had to be told apart further.
    """
    if isinstance(recoded, Anonymization):
        return recoded
    if isinstance(recoded, Solution):
        threshold = recoded.threshold if threshold is None else threshold
        label = label or f"solution {recoded.id}"
        recoded = recoded.recoding
    if not isinstance(recoded, Mapping | Recoding):
        raise SettingsError(
            f"an anonymization is {shown(recoded)}",
            code="wrong-type",
            found=shown(recoded),
            expected="a solution of a front, or the level of each quasi-identifier by name",
        )
    if isinstance(recoded, Mapping):
        lattice = problem.tables.lattice
        node = lattice.node(recoded)
        recoded = Levels.of(dict(zip(lattice.names, node, strict=True)))
    label = label or str(recoded)
    rows = problem.table if table is None else table
    suppression = problem.suppression
    tables = ClassTables(table=rows, carries=suppression.carries(rows))
    (found,) = recode(tables, [recoded], thresholds=[threshold], suppression=suppression)
    return found.anonymization(label=label)


def ranked(
    problem: Problem,
    entrants: Mapping[str, Recoded],
    *,
    comparator: Comparator | str,
    properties: Sequence[Property | str] | Property | str,
) -> Tournament:
    """Rank several recodings under one comparator, cycles told."""
    (judge,) = _comparators(comparator)
    chosen = _properties(properties, problem.table)
    vectors: dict[str, list[PropertyVector]] = {}
    for name, recoded in entrants.items():
        anonymization = anonymization_of(problem, recoded, label=name)
        vectors[name] = [one.vector(anonymization) for one in chosen]
    return tournament(vectors, judge)


def _properties(
    given: Sequence[Property | str] | Property | str | None, table: CountTable
) -> tuple[Property, ...]:
    if given is None:
        return every_property(table)
    several = (given,) if isinstance(given, str | Property) else tuple(given)
    found = tuple(property_named(one) if isinstance(one, str) else one for one in several)
    _check_members("properties", found, Property, example="'class-size'")
    return found


def _comparators(
    given: Sequence[Comparator | str] | Comparator | str | None,
) -> tuple[Comparator, ...]:
    if given is None:
        indices = tuple(comparator(name) for name in index_names())
        return (Dominance(), *indices, Weighted(), Lexicographic())
    several = (given,) if isinstance(given, str | Comparator) else tuple(given)
    found = tuple(comparator(one) if isinstance(one, str) else one for one in several)
    _check_members("comparators", found, Comparator, example="'coverage'")
    return found


def _check_members(key: str, found: Sequence[object], kind: type[object], *, example: str) -> None:
    """Refuse what is not of a kind, and nothing at all."""
    if not found:
        raise SettingsError(
            code="too-few", key=key, found="empty", expected=f"at least one, like {example}"
        )
    for one in found:
        must_be(one, kind, key, f"names like {example}, or {key}")
