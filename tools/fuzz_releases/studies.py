"""Random studies: tables with odd values, roles, hierarchies, policies and formats.

A new feature is one more draw in `draw_study`, and one more line in `DrawnStudy.kinds`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from tools.fuzz_releases.columns import (
    MISSING,
    CategoryColumn,
    DateColumn,
    DrawnColumn,
    NumberColumn,
)
from tools.fuzz_releases.payload import Payload, normal_spelling
from tools.fuzz_releases.statements import Atom, DrawnStatement

Row = dict[str, str | None]

ODD = (
    "Köln", "it's", 'say "hi"', "a, b", "two\nlines", "tab\there", " blank ", "naïve", "日本",
    "e\u0301", "é", "A", "a", "0", "-1", "1e3", "=1+1", "{x}", "[y]", "x;y", "null", "NaN", "#",
    "50%", "back\\slash", "'", "ß", "🙂", "@x", "+1 a", "'=q", "''-z",
)  # fmt: skip
LABEL_LIKE = ("*", "{A, a}", "[0, 5)", "A or (missing)", "24*", "A (level 1)", "under 5")
SENSITIVE = ("flu", "gout", "HIV, acute", "“ague”", "Hep\nB", "x")
SPELLINGS = ("flu", "Flu", "FLU ", "ﬂu", "gout", "go\u200but", "Gout", "Hep  B", "hep b", "x")
HEADERS = (
    "age", "Zip code", "Größe", "a,b", 'q"q', "select", "c 0", "x;y", "Age", "日", "who", "n°",
    "group", "it's",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DrawnStudy:
    """All that a study, its search and its release are given, and nothing of sfumato."""

    seed: int
    number: int
    columns: tuple[DrawnColumn, ...]
    weights: tuple[float, ...]
    payload: tuple[Payload, ...]
    sensitive: tuple[str, ...]
    insensitive: tuple[str, ...]
    identifying: tuple[str, ...]
    person: tuple[str, ...]
    several_cells: bool
    order: tuple[str, ...]
    row_id: str | None
    label: str | None
    rows: tuple[Row, ...]
    whole: tuple[str, ...]
    engine: str
    source: str
    target: str
    space: str
    method: str | None
    objectives: tuple[str, ...]
    policy: str
    limit: int | float | None
    given_k: int | None
    every: bool
    failing: bool
    criteria: tuple[str, ...]
    require: tuple[str, ...]
    statements: tuple[DrawnStatement, ...]
    missing: str
    missing_counts: bool
    markers: tuple[str, ...]
    star: bool
    microaggregated: bool
    codebook: bool
    escape: bool

    @property
    def kinds(self) -> dict[str, str]:
        """What is counted in the report, by heading."""
        changes = sorted({each.change for each in self.payload if each.change != "none"})
        return {
            "engine": self.engine,
            "source": self.source,
            "target": self.target,
            "space": self.space,
            "chosen by": self.method or "draw",
            "policy": self.policy
            + (" every" if self.every else "")
            + (" failing" if self.failing else ""),
            "criteria": " ".join(self.criteria) or "none",
            "require": " and ".join(self.require) or "none",
            "people": _people_kind(self),
            "statements": _statements_kind(self),
            "missing": self.missing + (" counts" if self.missing_counts else ""),
            "rows": "star" if self.star else "drop",
            "values": "microaggregated" if self.microaggregated else "generalized",
            "sensitive": str(len(self.sensitive)),
            "changed": " and ".join(changes) or "nothing",
            "minimum levels": str(sum(column.minimum_level for column in self.columns)),
            "formulas": "escaped" if self.escape else "as they are",
        }

    def lacks(self, value: str | None) -> bool:
        """Say whether a value of the source is missing."""
        empty = value == "" and self.source == "csv"
        return value is None or empty or value in self.markers

    @cached_property
    def counted_rows(self) -> tuple[Row, ...]:
        """The rows of the source that are not left out as incomplete."""
        counted = [*(column.name for column in self.columns), *self.sensitive]
        counted += [self.label] if self.label else []
        dropped = self.missing == "drop"
        return tuple(
            row
            for row in self.rows
            if not dropped or not any(self.lacks(row[name]) for name in counted)
        )

    def released(self, name: str, value: str | None) -> str:
        """Return what is counted and released in place of a value of the source."""
        if self.lacks(value):
            return MISSING
        payload = next((each for each in self.payload if each.name == name), None)
        if payload is None:
            return str(value)
        if payload.change == "spelling":
            return normal_spelling(str(value))
        return payload.released(str(value))


def _people_kind(drawn: DrawnStudy) -> str:
    if not drawn.person:
        return "no key"
    roles = []
    for name in drawn.person:
        named = {"identifying": drawn.identifying, "insensitive": drawn.insensitive}
        found = (role for role, names in named.items() if name in names)
        roles.append(next(found, "quasi-identifying"))
    cells = "several cells" if drawn.several_cells else "one cell"
    return f"{' and '.join(sorted(roles))}, {cells}"


def _statements_kind(drawn: DrawnStudy) -> str:
    if not drawn.statements:
        return "none"
    by_rule = any(each.where is not None for each in drawn.statements)
    return f"{len(drawn.statements)}{' by rules' if by_rule else ' common to all'}"


def draw_study(seed: int, number: int, *, spark: bool = False) -> DrawnStudy:
    """Return the study of a number: the same for the same seed, whatever was drawn before."""
    rng = random.Random(f"{seed}/{number}")
    source = rng.choice(("csv", "parquet", "duckdb", "pandas", "arrow"))
    target = rng.choice(("out.csv", "out.csv", "out.csv.gz", "out.tsv", "out.parquet"))
    engine = "duckdb" if rng.random() < 0.02 else "duckdb, one database"
    if spark:
        source, target = rng.choice(("csv", "parquet")), rng.choice(("out.csv", "out.parquet"))
        engine = "spark"
    names = rng.sample(HEADERS, len(HEADERS))
    # A table of DuckDB cannot have both.
    if rng.random() < 0.8 or source == "duckdb":
        names.remove("Age")
    space = rng.choice(("lattice", "lattice", "partitions", "admissible", "local", "local"))
    columns, values = [], {}
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        name = names.pop()
        column, pool = _column(rng, name, space)
        columns.append(column)
        values[name] = pool
    table = _Drawing(rng=rng, names=names, columns=columns, values=values)
    table.draw_rows(rng.choice((6, 12, 20, 40)))
    rows, size = table.rows, len(table.rows)
    sensitive = tuple(table.sensitive)
    everything = [c.name for c in columns] + [*sensitive, *table.insensitive, *table.identifying]
    rng.shuffle(everything)
    policy = rng.choice(("none", "limit", "limit", "limit", "given-k", "below-weighted-k"))
    if space == "local" and policy == "below-weighted-k":
        policy = "limit"
    method = rng.choice((None, "auto"))
    if space == "local":
        method = rng.choice(("auto", "peeling", "top-down", "bottom-up", "mondrian"))
    label = None
    if (sensitive or table.insensitive) and rng.random() < 0.2 and space != "local":
        label = rng.choice(sensitive or table.insensitive)
        label = None if label == table.row_id or label in table.person else label
    whole = tuple(
        c.name
        for c in columns
        if isinstance(c, NumberColumn)
        and source != "csv"
        and rng.random() < 0.4
        and all(v is None or v.lstrip("-").isdigit() for v in (r[c.name] for r in rows))
    )
    plain = DrawnStudy(
        seed=seed,
        number=number,
        columns=tuple(columns),
        weights=tuple(rng.choice((1.0, 1.0, 0.5, 2.0)) for _ in columns),
        payload=tuple(table.payload),
        sensitive=sensitive,
        insensitive=tuple(table.insensitive),
        identifying=tuple(table.identifying),
        person=table.person,
        several_cells=table.several_cells,
        order=tuple(everything),
        row_id=table.row_id,
        label=label,
        rows=tuple(rows),
        whole=whole,
        engine=engine,
        source=source,
        target=target,
        space=space,
        method=method,
        objectives=("k", "loss"),
        policy=policy,
        limit=rng.choice((1, 3, size // 4, 0.05, 0.1, 0.29, 0.5)) if policy == "limit" else None,
        given_k=rng.choice((2, 3, 5)) if policy == "given-k" else None,
        every=False,
        failing=False,
        criteria=(),
        require=(),
        statements=(),
        missing=table.missing,
        missing_counts=rng.random() < 0.2,
        markers=table.markers,
        star=rng.random() < 0.4,
        microaggregated=rng.random() < 0.25,
        codebook=rng.random() < 0.3,
        escape=".csv" in target and rng.random() < 0.3,
    )
    statements = _statements(rng, plain) if sensitive and rng.random() < 0.3 else ()
    # Without numbers of rows nobody could tell who protects what.
    return _asking(rng, replace(plain, statements=statements if plain.row_id else ()))


def _asking(rng: random.Random, plain: DrawnStudy) -> DrawnStudy:
    """Draw what is asked of classes."""
    asked = ["k>=2", "k>=3"]
    objectives = ["k", "loss"]
    if plain.sensitive:
        asked += ["distinct-l>=2", "p-sensitive>=2", "entropy-l>=1.4", "frequency-l>=1.3"]
        asked += ["t<=0.6", "recursive-l(c=2)>=2"]
        kinds = ("distinct-l", "t", "entropy-l", "frequency-l", "p-sensitive")
        objectives += rng.sample(kinds, rng.randint(0, 1))
    if plain.statements:
        asked += ["secure"] * 3
        objectives += [rng.choice(("secure", "sf"))] if rng.random() < 0.5 else []
    criteria = (rng.choice(asked),) if rng.random() < 0.3 else ()
    require = tuple(rng.sample(asked, rng.randint(1, 2))) if rng.random() < 0.35 else ()
    require = tuple(dict.fromkeys(require))
    limited = plain.policy == "limit"
    failing = limited and bool(criteria or require) and rng.random() < 0.3
    return replace(
        plain,
        criteria=criteria,
        require=require,
        objectives=tuple(objectives),
        failing=failing,
        every=limited and not failing and rng.random() < 0.3,
    )


def _statements(rng: random.Random, drawn: DrawnStudy) -> tuple[DrawnStatement, ...]:
    """Draw predicates over sensitive values that occur, and who protects them."""
    occurring = {
        name: sorted({drawn.released(name, row[name]) for row in drawn.counted_rows})
        for name in (*drawn.sensitive, *drawn.insensitive, *drawn.identifying)
        if name != drawn.row_id
    }
    found: dict[str, DrawnStatement] = {}
    for _ in range(rng.randint(1, 2)):
        atoms = []
        for name in rng.sample(drawn.sensitive, rng.randint(1, len(drawn.sensitive))):
            values = occurring[name]
            if len(values) > 1:
                chosen = tuple(rng.sample(values, rng.randint(1, max(1, len(values) // 2))))
                atoms.append(Atom(column=name, values=chosen, negated=rng.random() < 0.2))
        where = None
        present = [name for name, values in occurring.items() if values]
        if present and rng.random() < 0.4:
            name = rng.choice(present)
            values = occurring[name]
            chosen = tuple(rng.sample(values, rng.randint(1, min(3, len(values)))))
            where = Atom(column=name, values=chosen)
        if atoms:
            each = DrawnStatement(atoms=tuple(atoms), every=rng.random() < 0.5, where=where)
            if not all(map(each.satisfied, _texts(drawn, occurring))):
                found.setdefault(each.protect, each)
    statements = list(found.values())
    if all(each.where is None for each in statements) and rng.random() < 0.5:
        damages = ((1.0,), (0.25, 0.75))[len(statements) - 1] if statements else ()
        statements = [replace(s, damage=d) for s, d in zip(statements, damages, strict=True)]
    return tuple(statements)


def _texts(drawn: DrawnStudy, names: dict[str, list[str]]) -> list[dict[str, str]]:
    return [{n: drawn.released(n, row[n]) for n in names} for row in drawn.counted_rows]


class _Drawing:
    """A table that is being drawn: columns beside the quasi-identifiers, people, and rows."""

    def __init__(
        self,
        *,
        rng: random.Random,
        names: list[str],
        columns: list[DrawnColumn],
        values: dict[str, tuple[str, ...]],
    ) -> None:
        self.rng, self.columns, self.values = rng, columns, values
        self.missing = rng.choice(("category", "category", "drop"))
        self.markers = ("?",) if rng.random() < 0.3 else ()
        self.gaps = rng.choice((0, 0, 0.05, 0.2))
        self.sensitive = [names.pop() for _ in range(rng.choice((0, 1, 1, 1, 2)))]
        has_people = rng.random() < 0.45
        # The number of a row tells whom it is about.
        self.row_id = names.pop() if has_people or rng.random() < 0.9 else None
        self.insensitive = [self.row_id] if self.row_id else []
        self.insensitive += [names.pop() for _ in range(rng.choice((0, 0, 1)))]
        self.identifying = [names.pop() for _ in range(rng.choice((0, 1)))]
        self.payload = [self._payload(name) for name in self.sensitive]
        others = [name for name in self.insensitive if name != self.row_id]
        self.payload += [self._payload(name, insensitive=True) for name in others]
        self.several_cells = rng.random() < 0.6
        self.keys: dict[str, str] = {}
        if has_people:
            self._draw_key(names)
        self.person = tuple(self.keys)
        self.rows: list[Row] = []

    def _payload(self, name: str, *, insensitive: bool = False) -> Payload:
        rng = self.rng
        change = rng.choice(("none", "none", "none", "numbers", "dates", "spelling"))
        if change == "numbers":
            unit = rng.choice((None, "5", "0.5", "100"))
            top = rng.choice(("90", "42.5")) if unit is None or rng.random() < 0.5 else None
            bottom = rng.choice((None, "-10", "7.25"))
            return Payload(name=name, change=change, unit=unit, top=top, bottom=bottom)
        if change == "dates":
            unit = rng.choice(("month", "quarter", "year", "decade"))
            top = rng.choice((None, "2023-06-30"))
            return Payload(name=name, change=change, unit=unit, top=top)
        return Payload(name=name, change="none" if insensitive else change)

    def _draw_key(self, names: list[str]) -> None:
        """Draw which columns are the person key, and how they are written."""
        kind = self.rng.choice(("one", "one", "two", "mixed", "insensitive", "quasi"))
        plain = [c.name for c in self.columns if isinstance(c, CategoryColumn)]
        if kind == "quasi" and (self.gaps or not plain):
            kind = "one"
        if kind == "insensitive":
            self.insensitive.append(names.pop())
            self.keys[self.insensitive[-1]] = "whole"
            return
        self.identifying.append(names.pop())
        self.keys[self.identifying[-1]] = "whole" if kind in ("one", "quasi") else "rest"
        if kind == "two":
            self.identifying.append(names.pop())
            self.keys[self.identifying[-1]] = "part"
        if kind == "mixed":
            self.insensitive.append(names.pop())
            self.keys[self.insensitive[-1]] = "part"
        if kind == "quasi":
            self.keys[self.rng.choice(plain)] = "given"

    def draw_rows(self, size: int) -> None:
        """Draw the rows."""
        rng = self.rng
        first: dict[int, Row] = {}
        people = max(2, size // rng.choice((1, 2, 3)))
        for place in range(size):
            person = rng.randrange(people)
            row = self._cells(first.get(person) if self.person else None)
            first.setdefault(person, row)
            for each in self.payload:
                gap = rng.random() < self.gaps / 2
                row[each.name] = rng.choice(self.lacking) if gap else self._value(each)
            if self.row_id:
                row[self.row_id] = f"r{place}"
            for name in self.identifying:
                row[name] = f"CANARY{place}"
            for name, part in self.keys.items():
                if part != "given":
                    shown = {"whole": person, "rest": person % 4, "part": person // 4}[part]
                    row[name] = f"{'CANARY' if name in self.identifying else 'p'}{shown}"
            self.rows.append(row)

    @property
    def lacking(self) -> list[str | None]:
        """What stands for a missing value."""
        return [None, *self.markers]

    def _cells(self, first: Row | None) -> Row:
        """Draw quasi-identifiers: those of the person before, of somebody else, or new ones."""
        rng = self.rng
        names = [column.name for column in self.columns]
        if first is not None and (not self.several_cells or rng.random() < 0.5):
            return {name: first[name] for name in names}
        if self.rows and rng.random() < 0.5:
            twin = rng.choice(self.rows)
            return {name: twin[name] for name in names}
        return {
            name: rng.choice(self.lacking)
            if rng.random() < self.gaps
            else rng.choice(self.values[name])
            for name in names
        }

    def _value(self, payload: Payload) -> str | None:
        rng = self.rng
        if payload.change == "numbers":
            return rng.choice(("3", "12.5", "-20", "47", "49.75", "150", "1e2", "0.25", "99.5"))
        if payload.change == "dates":
            year = rng.choice((1999, 2022, 2023))
            return f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        if payload.change == "spelling":
            return rng.choice(SPELLINGS)
        if payload.name in self.sensitive:
            return rng.choice(SENSITIVE)
        return rng.choice((*ODD, None))


def _column(rng: random.Random, name: str, space: str) -> tuple[DrawnColumn, tuple[str, ...]]:
    column, pool = _any_column(rng, name, space)
    has_levels = isinstance(column, NumberColumn | DateColumn) or column.kind == "tree"  # type: ignore[attr-defined]
    if has_levels and rng.random() < 0.15:
        column = replace(column, minimum_level=1)
    return column, pool


def _any_column(rng: random.Random, name: str, space: str) -> tuple[DrawnColumn, tuple[str, ...]]:
    kind = rng.choice(("number", "number", "date", "flat", "prefix", "groups", "tree"))
    declared = rng.random() < 0.5
    ordered = kind in ("number", "date")
    outputs = ("hierarchy", "set", "interval") if ordered else ("hierarchy", "set")
    output = rng.choice((None, *outputs)) if space == "local" else None
    if kind == "number":
        return _numbers(rng, name, declared=declared, output=output)
    if kind == "date":
        levels = rng.choice((("day", "month", "year"), ("month", "quarter"), ("day", "decade")))
        days = tuple(
            f"{rng.choice((1999, 2023, 2024)):04}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
            for _ in range(rng.randint(2, 12))
        )
        column = DateColumn(
            name=name,
            declared=declared,
            output=output,
            levels=levels,
            first="1998-01-01" if declared else None,
            last="2025-06-30" if declared else None,
        )
        return column, days
    if kind == "prefix":
        length = rng.choice((None, None, 4))
        pool = tuple(
            dict.fromkeys(
                "".join(rng.choice("12A") for _ in range(length or rng.randint(1, 5)))
                for _ in range(rng.randint(2, 10))
            )
        )
        keep = rng.choice((None, (2, 1)))
        if keep and max(map(len, pool)) <= 2:
            keep = None
        values = (
            pool
            if not declared
            else (*pool, *(("9" * (length or 3),) if "9" * (length or 3) not in pool else ()))
        )
        return (
            CategoryColumn(
                name=name,
                declared=declared,
                output=output,
                kind=kind,
                values=values,
                keep=keep,
                length=length,
            ),
            pool,
        )
    texts = [*ODD, *(LABEL_LIKE if rng.random() < 0.1 else ())]
    pool = tuple(rng.sample(texts, rng.randint(2, 8)))
    if kind == "flat":
        if rng.random() < 0.2:
            pool = tuple(dict.fromkeys(str(rng.randint(0, 30)) for _ in range(rng.randint(2, 8))))
        return (
            CategoryColumn(name=name, declared=declared, output=output, kind=kind, values=pool),
            pool,
        )
    groups = [f"group {number}" for number in range(rng.randint(1, 3))]
    unused = [text for text in ODD if text not in pool]
    values = (*pool, *rng.sample(unused, rng.randint(0, 2)))
    paths: list[tuple[str, ...]] = [(rng.choice(groups),) for _ in values]
    if kind == "tree":
        parent = {group: rng.choice(("P", "Q")) for group in groups}
        paths = [(*path, parent[path[0]]) for path in paths]
    used = [t for t in pool if rng.random() < 0.8] or list(pool)
    return (
        CategoryColumn(
            name=name, declared=True, output=output, kind=kind, values=values, paths=tuple(paths)
        ),
        tuple(used),
    )


def _numbers(
    rng: random.Random, name: str, *, declared: bool, output: str | None
) -> tuple[DrawnColumn, tuple[str, ...]]:
    unit = rng.choice(("1", "1", "1", "5", "0.5"))
    fractional = unit == "1" and rng.random() < 0.3
    step = Decimal(unit)
    widths = rng.choice(((5, 10), (2, 4, 20), (10,)))
    low, high = rng.choice(((-20, 100), (0, 90)))
    spread = rng.choice((8, 40))
    base = rng.randint(0, 40)
    pool = []
    for _ in range(rng.randint(2, 15)):
        number = Decimal(base + rng.randint(0, spread))
        if (fractional or unit == "0.5") and rng.random() < 0.5:
            number += Decimal(rng.choice(("0.5", "0.25", "0.75")))
        text = str(number)
        # Another spelling of the same number.
        pool.append(f"{text}.0" if "." not in text and rng.random() < 0.1 else text)
    open_sides = ((False, False), (False, False), (True, False), (False, True))
    sides = (True, True) if declared else rng.choice(open_sides)
    column = NumberColumn(
        name=name,
        declared=declared,
        output=output,
        unit=step,
        widths=tuple(step * width for width in widths),
        low=Decimal(low) if sides[0] else None,
        high=Decimal(high) if sides[1] else None,
        fractional=fractional,
    )
    return column, tuple(pool)
