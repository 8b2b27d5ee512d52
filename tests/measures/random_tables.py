"""Random small tables for property tests, as rows and as a count table."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st
from tests.measures.naive import NaiveIdentifier, NaiveSensitive, NaiveTable
from tests.measures.naive_statements import drawn_statements, text_of

from sfumato.engines.messages.grouped_counts import GroupedCounts
from sfumato.hierarchies.ground_distance import (
    EqualDistance,
    GroundDistance,
    HierarchicalDistance,
    OrderedDistance,
)
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.population_counting import with_sample
from sfumato.microdata.roles import Attribute, insensitive, quasi_identifying, sensitive
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class RandomTable:
    """One table twice: as plain rows, and as the library counts it."""

    naive: NaiveTable
    distances: tuple[GroundDistance | None, ...]

    @cached_property
    def counted(self) -> CountTable:
        columns = {name: [row[name] for row in self.naive.rows] for name in self.naive.rows[0]}
        attributes: list[Attribute] = [
            quasi_identifying(q.name, _hierarchy(q), weight=float(q.weight))
            for q in self.naive.identifiers
        ]
        attributes += [
            sensitive(column.name, ground_distance=distance)
            for column, distance in zip(self.naive.sensitive, self.distances, strict=True)
        ]
        attributes.append(insensitive(self.naive.label, label=True))
        table = build_count_table(
            GroupedCounts.of_rows(columns),
            attributes,
            statements=ConfidentialStatements.of(self.statements),
        )
        codes = np.array(
            [
                [q.domain.index(row[q.name]) for row in self.naive.others]
                for q in self.naive.identifiers
            ],
            dtype=np.int32,
        )
        counts = np.ones(codes.shape[1], dtype=np.int64)
        population = with_sample(table, codes, counts, includes_sample=False)
        return replace(table, population=population)

    @property
    def statements(self) -> list[ConfidentialStatement]:
        return [
            ConfidentialStatement(
                protect=text_of(each.protect),
                where=None if each.where is None else text_of(each.where),
                damage=None if each.damage is None else float(each.damage),
            )
            for each in self.naive.statements
        ]

    @property
    def heights(self) -> tuple[int, ...]:
        return tuple(len(q.levels) - 1 for q in self.naive.identifiers)


def _hierarchy(q: NaiveIdentifier) -> Hierarchy:
    return Hierarchy.from_rows(_tree_rows(q.domain, q.levels), name=q.name)


def _tree_rows(domain: Sequence[str], levels: Sequence[Mapping[str, str]]) -> list[tuple[str, ...]]:
    return [tuple(level[value] for level in levels) for value in domain]


def _levels(rng: random.Random, domain: list[str], inner: int) -> list[dict[str, str]]:
    """Return levels that merge neighbouring blocks: the values, ``inner`` levels, one block."""
    levels = [{value: value for value in domain}]
    blocks = list(range(len(domain)))
    for level in range(1, inner + 1):
        merged = {0: 0}
        for block in range(1, blocks[-1] + 1):
            merged[block] = merged[block - 1] + (rng.random() < 0.5)
        blocks = [merged[block] for block in blocks]
        levels.append({v: f"L{level}B{b}" for v, b in zip(domain, blocks, strict=True)})
    if len(domain) > 1 or inner:
        levels.append(dict.fromkeys(domain, "*"))
    return levels


@st.composite
def random_tables(
    draw: st.DrawFn, *, most_rows: int = 40, most_identifiers: int = 4, most_inner: int = 2
) -> RandomTable:
    """Draw a table; its shape is drawn, its rows come from a drawn seed."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    identifiers = []
    for q in range(draw(st.integers(1, most_identifiers))):
        size, inner = draw(st.integers(1, 6)), draw(st.integers(0, most_inner))
        ordered = draw(st.booleans())
        domain = [str(5 * i + 1) if ordered else f"v{i}" for i in range(size)]
        identifiers.append(
            NaiveIdentifier(
                name=f"q{q}",
                domain=domain,
                levels=_levels(rng, domain, inner),
                ordered=ordered,
                weight=draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2)])),
            )
        )
    columns: list[NaiveSensitive] = []
    distances: list[GroundDistance | None] = []
    domains: list[list[str]] = []
    for s in range(draw(st.integers(1, 2))):
        name = f"s{s}"
        domain = [str(i) for i in range(draw(st.integers(1, 7)))]
        domains.append(domain)
        kind = draw(st.sampled_from(["none", "equal", "ordered", "hierarchical"]))
        if kind == "ordered":
            order = rng.sample(domain, len(domain))
            columns.append(NaiveSensitive(name=name, order=order))
            distances.append(OrderedDistance(order=tuple(order)))
        elif kind == "hierarchical":
            levels = _levels(rng, domain, draw(st.integers(0, 2)))
            columns.append(NaiveSensitive(name=name, levels=levels))
            tree = Hierarchy.from_rows(_tree_rows(domain, levels), name=name)
            distances.append(HierarchicalDistance(hierarchy=tree))
        else:
            columns.append(NaiveSensitive(name=name))
            distances.append(EqualDistance() if kind == "equal" else None)
    rows = []
    skew = draw(st.sampled_from([1.0, 3.0]))
    for _ in range(draw(st.integers(1, most_rows))):
        row = {}
        for q_name, values in [
            *((q.name, q.domain) for q in identifiers),
            *((c.name, d) for c, d in zip(columns, domains, strict=True)),
            ("label", ["yes", "no", "perhaps"]),
            # Only rules of confidential statements look at it.
            ("ward", ["a", "b", "c"]),
        ]:
            row[q_name] = values[int(len(values) * rng.random() ** skew)]
        rows.append(row)
    about = {c.name: d for c, d in zip(columns, domains, strict=True)}
    every = {**about, **{q.name: q.domain for q in identifiers}, "ward": ["a", "b"]}
    return RandomTable(
        naive=NaiveTable(
            rows=rows,
            identifiers=identifiers,
            sensitive=columns,
            label="label",
            others=[
                {q.name: rng.choice(q.domain) for q in identifiers}
                for _ in range(rng.randrange(2 * most_rows))
            ],
            statements=drawn_statements(rng, about, every, common=draw(st.booleans())),
        ),
        distances=tuple(distances),
    )
