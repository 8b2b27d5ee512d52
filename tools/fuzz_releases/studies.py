"""Random studies: tables with odd values, roles, hierarchies, policies and formats.

A new feature is one more draw in `draw_study`, and one more line in `DrawnStudy.kinds`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import Decimal

from tools.fuzz_releases.columns import CategoryColumn, DateColumn, DrawnColumn, NumberColumn

Row = dict[str, str | None]

ODD = (
    "Köln", "it's", 'say "hi"', "a, b", "two\nlines", "tab\there", " blank ", "naïve", "日本",
    "e\u0301", "é", "A", "a", "0", "-1", "1e3", "=1+1", "{x}", "[y]", "x;y", "null", "NaN", "#",
    "50%", "back\\slash", "'", "ß", "🙂",
)  # fmt: skip
LABEL_LIKE = ("*", "{A, a}", "[0, 5)", "A or (missing)", "24*", "A (level 1)", "under 5")
SENSITIVE = ("flu", "gout", "HIV, acute", "“ague”", "Hep\nB", "x")
HEADERS = ("age", "Zip code", "Größe", "a,b", 'q"q', "select", "c 0", "x;y", "Age", "日")


@dataclass(frozen=True, kw_only=True)
class DrawnStudy:
    """All that a study, its search and its release are given, and nothing of sfumato."""

    seed: int
    number: int
    columns: tuple[DrawnColumn, ...]
    weights: tuple[float, ...]
    sensitive: tuple[str, ...]
    insensitive: tuple[str, ...]
    identifying: tuple[str, ...]
    order: tuple[str, ...]
    row_id: str | None
    label: str | None
    rows: tuple[Row, ...]
    whole: tuple[str, ...]
    source: str
    target: str
    space: str
    method: str | None
    objectives: tuple[str, ...]
    policy: str
    limit: int | float | None
    given_k: int | None
    every: bool
    criteria: tuple[str, ...]
    missing: str
    markers: tuple[str, ...]
    star: bool
    microaggregated: bool
    codebook: bool

    @property
    def kinds(self) -> dict[str, str]:
        """What is counted in the report, by heading."""
        return {
            "source": self.source,
            "target": self.target,
            "space": self.space,
            "chosen by": self.method or "draw",
            "policy": self.policy + (" every" if self.every else ""),
            "criteria": str(len(self.criteria)),
            "missing": self.missing,
            "rows": "star" if self.star else "drop",
            "values": "microaggregated" if self.microaggregated else "generalized",
            "sensitive": str(len(self.sensitive)),
        }


def draw_study(seed: int, number: int) -> DrawnStudy:
    """Return the study of a number: the same for the same seed, whatever was drawn before."""
    rng = random.Random(f"{seed}/{number}")
    source = rng.choice(("csv", "parquet", "duckdb", "pandas", "arrow"))
    names = rng.sample(HEADERS, len(HEADERS))
    # A table of DuckDB cannot have both.
    if rng.random() < 0.8 or source == "duckdb":
        names.remove("Age")
    size = rng.choice((6, 12, 20, 40, 80))
    space = rng.choice(("lattice", "lattice", "partitions", "admissible", "local", "local"))
    columns, values = [], {}
    for _ in range(rng.choice((1, 2, 2, 3, 4))):
        name = names.pop()
        column, pool = _column(rng, name, space)
        columns.append(column)
        values[name] = pool
    missing = rng.choice(("category", "category", "drop"))
    markers = ("?",) if rng.random() < 0.3 else ()
    gaps = rng.choice((0, 0, 0.05, 0.2))
    lacking = [None, *markers]
    sensitive = tuple(names.pop() for _ in range(rng.choice((0, 1, 1, 1, 2))))
    row_id = names.pop() if rng.random() < 0.9 else None
    insensitive = (
        *((row_id,) if row_id else ()),
        *(names.pop() for _ in range(rng.choice((0, 0, 1)))),
    )
    identifying = tuple(names.pop() for _ in range(rng.choice((0, 1)))) if names else ()
    rows: list[Row] = []
    for place in range(size):
        row: Row = {}
        if rows and rng.random() < 0.5:
            twin = rng.choice(rows)
            row = {column.name: twin[column.name] for column in columns}
        else:
            for column in columns:
                gap = rng.random() < gaps
                row[column.name] = rng.choice(lacking) if gap else rng.choice(values[column.name])
        for name in sensitive:
            row[name] = rng.choice(lacking) if rng.random() < gaps / 2 else rng.choice(SENSITIVE)
        for name in insensitive:
            row[name] = rng.choice((*ODD, None))
        if row_id:
            row[row_id] = f"r{place}"
        for name in identifying:
            row[name] = f"CANARY{place}"
        rows.append(row)
    order = [c.name for c in columns] + list(sensitive + insensitive + identifying)
    rng.shuffle(order)
    policy = rng.choice(("none", "limit", "limit", "limit", "given-k", "below-weighted-k"))
    if space == "local" and policy == "below-weighted-k":
        policy = "limit"
    limit = rng.choice((1, 3, size // 4, 0.05, 0.1, 0.29, 0.5)) if policy == "limit" else None
    criteria: tuple[str, ...] = ()
    if policy in ("limit", "none") and rng.random() < 0.3:
        asked = ["k>=2", "k>=3"] + (["distinct-l>=2"] if sensitive else [])
        criteria = (rng.choice(asked),)
    objectives = ["k", "loss"]
    if sensitive:
        objectives += rng.sample(("distinct-l", "t", "entropy-l", "frequency-l"), rng.randint(0, 1))
    method = rng.choice((None, "auto"))
    if space == "local":
        method = rng.choice(("auto", "peeling", "top-down", "bottom-up", "mondrian"))
    label = None
    if (sensitive or insensitive) and rng.random() < 0.2 and space != "local":
        label = rng.choice(sensitive or insensitive)
        label = None if label == row_id else label
    whole = tuple(
        c.name
        for c in columns
        if isinstance(c, NumberColumn)
        and source != "csv"
        and rng.random() < 0.4
        and all(v is None or v.lstrip("-").isdigit() for v in (r[c.name] for r in rows))
    )
    return DrawnStudy(
        seed=seed,
        number=number,
        columns=tuple(columns),
        weights=tuple(rng.choice((1.0, 1.0, 0.5, 2.0)) for _ in columns),
        sensitive=sensitive,
        insensitive=insensitive,
        identifying=identifying,
        order=tuple(order),
        row_id=row_id,
        label=label,
        rows=tuple(rows),
        whole=whole,
        source=source,
        target=rng.choice(("out.csv", "out.csv", "out.csv.gz", "out.tsv", "out.parquet")),
        space=space,
        method=method,
        objectives=tuple(objectives),
        policy=policy,
        limit=limit,
        given_k=rng.choice((2, 3, 5)) if policy == "given-k" else None,
        every=policy == "limit" and not criteria and rng.random() < 0.3,
        criteria=criteria,
        missing=missing,
        markers=markers,
        star=rng.random() < 0.4,
        microaggregated=rng.random() < 0.25,
        codebook=rng.random() < 0.3,
    )


def _column(rng: random.Random, name: str, space: str) -> tuple[DrawnColumn, tuple[str, ...]]:
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
