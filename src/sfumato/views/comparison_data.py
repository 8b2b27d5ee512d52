"""What a comparison's page shows: one frozen value, computed here and drawn by the page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.compare.catalogue import comparator, property_named
from sfumato.compare.comparator import share_text
from sfumato.compare.curves.gain_histogram import gain_histogram
from sfumato.compare.curves.group_bias import Grouping, bias_of_groups, grouping
from sfumato.compare.curves.individual_curve import individual_curve
from sfumato.compare.curves.sorted_curve import sorted_curve, spread_metrics
from sfumato.compare.vectors.common_refinement import CommonRefinement
from sfumato.compare.verdict import Outcome
from sfumato.errors import SettingsError
from sfumato.errors.listing import counted
from sfumato.errors.suggestions import closest
from sfumato.measures.measure import Scale
from sfumato.views.comparison_view import side_view
from sfumato.views.texts import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.classes.anonymization import Anonymization
    from sfumato.compare.curves.gain_histogram import GainHistogram
    from sfumato.compare.curves.gainers import Gainers
    from sfumato.compare.curves.group_bias import GroupBias
    from sfumato.compare.curves.individual_curve import IndividualCurve
    from sfumato.compare.curves.sorted_curve import SortedCurve, SpreadMetrics
    from sfumato.compare.properties.property import Property
    from sfumato.compare.vectors.property_vector import PropertyVector
    from sfumato.compare.verdict import Verdict
    from sfumato.measures.measure import Direction
    from sfumato.study.comparison import Comparison


@dataclass(frozen=True, kw_only=True)
class ShownVerdict:
    """What a comparator says: both index values, the outcome for the first, and a sentence."""

    comparator: str
    reference: str
    first: float
    second: float
    outcome: Outcome
    sentence: str


@dataclass(frozen=True, kw_only=True)
class ComparedProperty:
    """A property of every individual under both anonymizations.

    Pairs have the first anonymization first. ``scale`` is the one that it is drawn on.
    ``by_individual`` orders the individuals by the first and by the second; ``groups`` has the
    groups of every column of the page, in order.
    """

    name: str
    meaning: str
    unit: str
    direction: Direction
    scale: Scale
    better_off: int
    worse_off: int
    unchanged: int
    summary: str
    curves: tuple[SortedCurve, SortedCurve]
    metrics: tuple[SpreadMetrics, SpreadMetrics]
    by_individual: tuple[IndividualCurve, IndividualCurve]
    histogram: GainHistogram
    groups: tuple[tuple[GroupBias, ...], ...]
    verdicts: tuple[ShownVerdict, ...]


@dataclass(frozen=True, kw_only=True)
class ComparisonData:
    """All that the page of a comparison shows.

    ``names`` are what the two anonymizations are called. Of groups of fewer than ``fewest`` rows
    nothing is told. ``chosen`` and ``by`` are the places of the property and of the column that
    the page opens with.
    """

    source: str
    names: tuple[str, str]
    rows: int
    fewest: int
    facts: tuple[Fact, ...]
    properties: tuple[ComparedProperty, ...]
    columns: tuple[str, ...]
    chosen: int
    by: int
    together: tuple[ShownVerdict, ...]
    together_on: tuple[str, ...]


FEWEST = 5
"""Of groups of fewer rows nothing is told, even where a release has a smaller k."""

_WIDE = 20
_LONGEST_NAME = 28
_LETTERS = ("A", "B")


def compute_comparison(
    comparison: Comparison, *, source: str, by: str | None = None
) -> ComparisonData:
    """Return what the page of a comparison shows; ``by`` is the column that it opens with.

    Groups by the values of a column are those that the finer of the two releases could show: of
    at least as many rows as its smallest class has, and never fewer than `FEWEST`.
    """
    first, second = comparison.first, comparison.second
    table = first.table
    columns = tuple(dict.fromkeys((*table.names, *table.columns)))
    if by is not None and by not in columns:
        raise SettingsError(
            f"there is no column {by!r} to divide the rows by",
            code="unknown-column",
            key="by",
            found=repr(by),
            expected=columns,
            suggestion=closest(by, columns),
        )
    fewest = max(FEWEST, min(first.k, second.k))
    divided = [grouping(table, column, fewest=fewest) for column in columns]
    names = _names(first.label, second.label)
    properties = tuple(
        _property(name, vectors, comparison, names, divided, fewest)
        for name, vectors in comparison.vectors.items()
    )
    opening = [p.name for p in properties]
    return ComparisonData(
        source=source,
        names=names,
        rows=table.rows,
        fewest=fewest,
        facts=(
            Fact(term="Source", text=f"{source}, {counted(table.rows, 'record')}"),
            *(_fact(side, name) for side, name in zip((first, second), names, strict=True)),
        ),
        properties=properties,
        columns=columns,
        chosen=opening.index("class-size") if "class-size" in opening else 0,
        by=0 if by is None else columns.index(by),
        together=tuple(_verdict(verdict, comparison, names) for verdict in comparison.together),
        together_on=comparison.together_on if comparison.together else (),
    )


def _names(first: str, second: str) -> tuple[str, str]:
    """Return what the page calls the two, as sentences do: letters where labels are long."""
    if not first or not second or first == second:
        return "the first", "the second"
    return (first, second) if max(len(first), len(second)) <= _LONGEST_NAME else _LETTERS


def _fact(side: Anonymization, name: str) -> Fact:
    told = "" if side.label in ("", name) else f"{side.label}; "
    return Fact(term=name[:1].upper() + name[1:], text=f"{told}{side_view(side).text}")


def _property(
    name: str,
    vectors: tuple[PropertyVector, PropertyVector],
    comparison: Comparison,
    names: tuple[str, str],
    divided: Sequence[Grouping],
    fewest: int,
) -> ComparedProperty:
    first, second = vectors
    known = property_named(name)
    people = comparison.first.table.people is not None
    pair = CommonRefinement.of(first, second)
    everybody = comparison.gainers(name)
    verdicts = comparison.verdicts[name]
    metrics = spread_metrics(first), spread_metrics(second)
    return ComparedProperty(
        name=name,
        meaning=known.meaning_to(people=people),
        unit=known.unit_of(people=people),
        direction=first.direction,
        scale=_scale(known, [end for each in metrics for end in (each.worst, each.best)]),
        better_off=everybody.better_off,
        worse_off=everybody.worse_off,
        unchanged=everybody.unchanged,
        summary=summary(first.words, everybody, verdicts, names),
        curves=(sorted_curve(first), sorted_curve(second)),
        metrics=metrics,
        by_individual=(
            individual_curve(pair, fewest=fewest),
            individual_curve(pair.mirrored, fewest=fewest),
        ),
        histogram=gain_histogram(pair, fewest=fewest),
        groups=tuple(bias_of_groups(first, second, each, fewest=fewest) for each in divided),
        verdicts=tuple(_verdict(verdict, comparison, names) for verdict in verdicts),
    )


def _scale(known: Property, ends: Sequence[float]) -> Scale:
    """Return the scale of a property: a logarithmic one only where its values lie far apart."""
    wide = min(ends) >= 1 and max(ends) > _WIDE * min(ends)
    return Scale.LINEAR if known.scale is Scale.LOGARITHMIC and not wide else known.scale


def summary(
    words: str, everybody: Gainers, verdicts: Sequence[Verdict], names: tuple[str, str]
) -> str:
    """Return who is better off and what the comparators say, in a sentence or two."""
    sides = sorted(
        zip((everybody.better_off, everybody.worse_off), names, strict=True), key=lambda s: -s[0]
    )
    (more, winner), (fewer, loser) = sides
    if not more:
        return f"By {words}, both are equal for every record."
    same = everybody.unchanged
    text = (
        f"By {words}, {counted(more, 'record')} ({share_text(more / everybody.rows)}) "
        f"{'is' if more == 1 else 'are'} better off in {winner}, "
        f"{f'{fewer:,}' if fewer else 'none'} ({share_text(fewer / everybody.rows)}) in {loser}"
        f"{f', and {same:,} unchanged' if same else ''}."
    )
    said = Counter(verdict.outcome for verdict in verdicts)
    counts = (
        (said[Outcome.BETTER], f"prefer {names[0]}", f"prefers {names[0]}"),
        (said[Outcome.WORSE], f"prefer {names[1]}", f"prefers {names[1]}"),
        (said[Outcome.EQUAL], "find both equal", "finds both equal"),
        (said[Outcome.INCOMPARABLE], "find them incomparable", "finds them incomparable"),
    )
    voices = [f"{n} {one if n == 1 else several}" for n, several, one in counts if n]
    return f"{text} Of {counted(len(verdicts), 'comparator')}, {', '.join(voices)}."


def _verdict(verdict: Verdict, comparison: Comparison, names: tuple[str, str]) -> ShownVerdict:
    sentence = verdict.sentence
    if names == _LETTERS:
        sides = zip((comparison.first.label, comparison.second.label), names, strict=True)
        # The longer label first: the shorter one may be a part of it.
        for label, letter in sorted(sides, key=lambda side: -len(side[0])):
            sentence = sentence.replace(label, letter)
    return ShownVerdict(
        comparator=verdict.comparator,
        reference=_reference(verdict.comparator),
        first=verdict.first,
        second=verdict.second,
        outcome=verdict.outcome,
        sentence=f"{sentence[:1].upper()}{sentence[1:]}.",
    )


def _reference(text: str) -> str:
    """Return where a comparator comes from; nothing for one that was only set in Python."""
    try:
        return comparator(text).reference
    except SettingsError:
        return ""
