"""The independent reader: recomputes a release from its files, the source's rows and paper.

Plain Python with the csv module and pyarrow. Nothing of sfumato is imported, and what columns'
labels cover is read by `tools.fuzz_releases.columns`.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pyarrow.parquet
from tools.fuzz_releases.columns import MISSING, CategoryColumn, NumberColumn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tools.fuzz_releases.columns import DrawnColumn
    from tools.fuzz_releases.studies import DrawnStudy, Row

STAR = "*"


@dataclass(kw_only=True)
class Reading:
    """What was found: faults in words, the names of what was recomputed, and of what was not."""

    faults: list[str] = field(default_factory=list)
    recomputed: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def same(self, name: str, found: float | None, expected: float, where: str) -> None:
        """Note a metric that was recomputed, and a fault if it differs."""
        if found is None:
            return
        self.recomputed.append(f"{where} {name}")
        if not math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12):
            self.faults.append(f"{where} {name}: certified {expected!r}, recomputed {found!r}")

    def check(self, holds: bool, fault: str) -> None:
        """Note a fault unless something holds."""
        if not holds:
            self.faults.append(fault)


def read_release(drawn: DrawnStudy, folder: Path) -> Reading:
    """Read the files of a release and compare them with the source and the certificates."""
    reading = Reading()
    public = json.loads((folder / f"{drawn.target}.certificate.json").read_text(encoding="utf-8"))
    private = json.loads((folder / "private.json").read_text(encoding="utf-8"))
    header, rows = _file(folder / drawn.target)
    released = _Released(
        drawn=drawn,
        header=header,
        rows=rows,
        reading=reading,
        starred=drawn.star and private["suppressed"]["rows"] > 0,
    )
    reading.check(
        header == [name for name in drawn.order if name not in drawn.identifying],
        f"the columns are {header}",
    )
    kept = [row for row in rows if not released.is_starred(row)]
    released.check_counts(public, private, kept)
    released.check_promises(kept)
    released.check_metrics(public["metrics"], private["metrics"], kept)
    if drawn.row_id is not None:
        released.check_rows(kept, public)
    released.check_losses(public, private, kept)
    published = [folder / drawn.target, folder / f"{drawn.target}.certificate.json"]
    published += [folder / "book.json"] if drawn.codebook else []
    for path in published:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        reading.check(b"CANARY" not in content, f"an identifier is in {path.name}")
    if drawn.codebook:
        released.check_codebook(json.loads((folder / "book.json").read_text(encoding="utf-8")))
    return reading


def _file(path: Path) -> tuple[list[str], list[Row]]:
    """Read the columns and rows of a file; an empty field is missing."""
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        rows = [{name: _text(v) for name, v in row.items()} for row in table.to_pylist()]
        return list(table.column_names), rows
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    stream = io.StringIO(content.decode("utf-8"), newline="")
    header, *lines = csv.reader(stream, delimiter="\t" if ".tsv" in path.name else ",")
    return header, [{n: c or None for n, c in zip(header, line, strict=True)} for line in lines]


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


@dataclass(kw_only=True)
class _Released:
    drawn: DrawnStudy
    header: list[str]
    rows: list[Row]
    reading: Reading
    starred: bool
    """Whether rows with * everywhere are suppressed ones: the file alone does not tell."""

    def __post_init__(self) -> None:
        drawn = self.drawn
        self.names = [column.name for column in drawn.columns]
        counted = [*self.names, *drawn.sensitive, *([drawn.label] if drawn.label else [])]
        self.source = [
            row
            for row in drawn.rows
            if drawn.missing != "drop" or not any(self.lacks(row[name]) for name in counted)
        ]

    def lacks(self, value: str | None) -> bool:
        """Say whether a value of the source is missing."""
        empty = value == "" and self.drawn.source == "csv"
        return value is None or empty or value in self.drawn.markers

    def value(self, text: str | None) -> str:
        """Return a sensitive value as it counts."""
        return MISSING if self.lacks(text) else str(text)

    def is_starred(self, row: Row) -> bool:
        """Say whether a row is a suppressed one that was kept with ``*``."""
        return self.starred and all(row[name] == STAR for name in self.names)

    def classes(self, rows: Sequence[Row]) -> dict[tuple[str | None, ...], list[Row]]:
        """Return rows with equal cells."""
        found: defaultdict[tuple[str | None, ...], list[Row]] = defaultdict(list)
        for row in rows:
            found[tuple(row[name] for name in self.names)].append(row)
        return found

    def check_counts(
        self, public: Mapping[str, object], private: Mapping[str, object], kept: Sequence[Row]
    ) -> None:
        """Compare the numbers of rows and classes."""
        release, suppressed = public["release"], private["suppressed"]
        assert isinstance(release, dict)
        assert isinstance(suppressed, dict)
        total, gone = len(self.source), len(self.source) - len(kept)
        self.reading.counts = {"rows": len(kept), "suppressed": gone}
        same = self.reading.same
        same("rows", len(self.rows), release["rows"], "public")
        same("classes", len(self.classes(kept)), release["classes"], "public")
        same("rows", total, private["source_rows"], "private")  # type: ignore[arg-type]
        same("suppressed", gone, suppressed["rows"], "private")
        dropped = len(self.drawn.rows) - total
        same("incomplete", dropped, private["rows_left_out_as_incomplete"], "private")  # type: ignore[arg-type]
        starred = len(self.rows) - len(kept)
        if self.drawn.star:
            self.reading.check(starred == gone, f"{starred} starred rows, {gone} suppressed")

    def check_promises(self, kept: Sequence[Row]) -> None:
        """See that the policy and the criteria hold."""
        drawn, check = self.drawn, self.reading.check
        total, gone = len(self.source), len(self.source) - len(kept)
        sizes = [len(rows) for rows in self.classes(kept).values()]
        if drawn.policy == "none":
            check(gone == 0, f"{gone} rows suppressed, and none may be")
        if drawn.limit is not None:
            limit = drawn.limit
            if isinstance(limit, float):
                limit = int((Decimal(str(limit)) * total).to_integral_value(ROUND_FLOOR))
            check(gone <= limit, f"{gone} rows suppressed, and {limit} may be")
        if drawn.given_k is not None:
            check(min(sizes) >= drawn.given_k, f"a class has {min(sizes)} rows under a given k")
        for criterion in drawn.criteria:
            name, bound = criterion.split(">=")
            found = self.metrics(kept, kept).get(name)
            check(found is not None and found >= float(bound), f"{criterion} is not met: {found}")

    def metrics(self, kept: Sequence[Row], reference: Sequence[Row]) -> dict[str, float]:
        """Return the metrics of classes; t compares with the rows of a reference."""
        classes = list(self.classes(kept).values())
        sizes = [len(rows) for rows in classes]
        found: dict[str, float] = {"k": min(sizes), "c-avg": len(kept) / len(classes) / min(sizes)}
        by_column: defaultdict[str, list[float]] = defaultdict(list)
        for name in self.drawn.sensitive:
            whole = Counter(self.value(row[name]) for row in reference)
            own = 0
            for rows in classes:
                counts = Counter(self.value(row[name]) for row in rows)
                n = len(rows)
                # Missing is not a value of l.
                known = [count for value, count in counts.items() if value != MISSING]
                having = sum(known)
                by_column["distinct-l"].append(len(known))
                by_column["frequency-l"].append(having / max(known) if known else 0)
                entropy = -math.fsum(c / having * math.log(c / having) for c in known)
                by_column["entropy-l"].append(math.exp(entropy) if known else 0)
                differences = (
                    abs(counts[v] / n - whole[v] / len(reference)) for v in {*counts, *whole}
                )
                by_column["t"].append(-math.fsum(differences) / 2)
                own += sum(c * c for c in counts.values())
            found[f"s-l {name}"] = own
        for name, values in by_column.items():
            found[name] = abs(min(values)) if name == "t" else min(values)
        return found

    def check_metrics(
        self,
        public: Mapping[str, float],
        private: Mapping[str, float],
        kept: Sequence[Row],
    ) -> None:
        """Compare the metrics of the kept rows, and of all rows, with the certificates."""
        squares = sum(len(rows) ** 2 for rows in self.classes(kept).values())
        total, gone = len(self.source), len(self.source) - len(kept)
        shown = self.metrics(kept, kept)
        shown |= {"s-k": squares, "weighted-k": squares / len(kept), "dm": squares}
        whole = self.metrics(kept, self.source)
        whole |= {"s-k": squares + gone**2, "dm": squares + total * gone}
        if self.drawn.label is not None:
            shown["cm"] = self._majority(kept) / len(kept)
            whole["cm"] = (self._majority(kept) + gone) / total
        for name in self.drawn.sensitive:
            everybody = Counter(self.value(row[name]) for row in self.source)
            released = Counter(self.value(row[name]) for row in kept)
            lost = sum((everybody[v] - released[v]) ** 2 for v in everybody)
            own = shown[f"s-l {name}"]
            written = json.dumps(name, ensure_ascii=False)
            for text in (f"s-l(column={name})", f"s-l(column={written})"):
                shown[text], whole[text] = own, own + lost
            if len(self.drawn.sensitive) == 1:
                shown["s-l"], whole["s-l"] = own, own + lost
        for where, certified, found in (("public", public, shown), ("private", private, whole)):
            for name, expected in certified.items():
                if name in found:
                    self.reading.same(name, found[name], float(expected), where)
                elif name not in ("gl", "sl", "loss", "normalized-loss"):
                    self.reading.unknown.append(f"{where} {name}")

    def _majority(self, kept: Sequence[Row]) -> int:
        """Return the rows that do not have the most frequent label of their class."""
        label = self.drawn.label
        assert label is not None
        return sum(
            len(rows) - max(Counter(self.value(row[label]) for row in rows).values())
            for rows in self.classes(kept).values()
        )

    def check_rows(self, kept: Sequence[Row], public: Mapping[str, object]) -> None:
        """Compare every row with the one of the source that it was, which its number tells."""
        drawn, check = self.drawn, self.reading.check
        assert drawn.row_id is not None
        origin = {row[drawn.row_id]: row for row in self.source}
        numbers = [row[drawn.row_id] for row in kept]
        check(len(set(numbers)) == len(numbers), "a row is there twice")
        check(set(numbers) <= set(origin), "a row is there that the source does not have")
        for row in kept:
            before = origin.get(row[drawn.row_id])
            if before is None:
                continue
            for name in (*drawn.sensitive, *drawn.insensitive):
                wanted = before[name]
                if wanted == "" and not drawn.target.endswith(".parquet"):
                    wanted = None
                check(row[name] == wanted, f"{name!r} changed from {wanted!r} to {row[name]!r}")
        if drawn.microaggregated:
            self._check_statistics(kept, origin, public)
            return
        for column in drawn.columns:
            values = self._values(column)
            gap = self._has_gap(column, self.source)
            known: dict[str, set[object]] = {}
            for row in kept:
                before = origin.get(row[drawn.row_id])
                text = row[column.name]
                if before is None or text is None:
                    check(text is not None, f"a cell of {column.name!r} is empty")
                    continue
                own = before[column.name]
                leaf = None if self.lacks(own) else column.leaf(str(own))
                if text not in known:
                    known[text] = {
                        each
                        for covered in column.covers(text, values, missing=gap)
                        for each in covered
                    }
                check(
                    leaf in known[text],
                    f"{column.name!r}: the label {text!r} does not cover the value {own!r}",
                )

    def _values(self, column: DrawnColumn) -> list[str]:
        """Return the values of a column that occur in the source, each once."""
        texts = (row[column.name] for row in self.source)
        return list(dict.fromkeys(str(text) for text in texts if not self.lacks(text)))

    def _has_gap(self, column: DrawnColumn, rows: Sequence[Row]) -> bool:
        return any(self.lacks(row[column.name]) for row in rows)

    def _check_statistics(
        self, kept: Sequence[Row], origin: Mapping[str | None, Row], public: Mapping[str, object]
    ) -> None:
        """See that every cell has the statistic of the values behind equal cells."""
        recoding = public["recoding"]
        assert isinstance(recoding, dict)
        local = "local" in public
        for column in self.drawn.columns:
            groups: defaultdict[object, list[str]] = defaultdict(list)
            shown: dict[object, str | None] = {}
            for row in kept:
                text = row[column.name]
                key = tuple(row[name] for name in self.names) if local else text
                before = origin[row[self.drawn.row_id or ""]][column.name]
                shown[key] = text
                _ = groups[key]
                if not self.lacks(before):
                    groups[key].append(str(before))
            described = recoding[column.name]
            for group, values in groups.items():
                text = shown[group]
                found = _statistic_holds(column, described, values, text)
                self.reading.check(
                    found, f"{column.name!r}: {text!r} is not the {described['statistic']}"
                )
            self.reading.recomputed.append(f"statistic {described['statistic']}")

    def check_losses(
        self, public: Mapping[str, object], private: Mapping[str, object], kept: Sequence[Row]
    ) -> None:
        """Recompute losses from what labels cover, where the labels tell it."""
        drawn, reading = self.drawn, self.reading
        shown, whole = public["metrics"], private["metrics"]
        assert isinstance(shown, dict)
        assert isinstance(whole, dict)
        declared = all(column.declared for column in drawn.columns)
        names = ("gl", "loss", "sl", "normalized-loss")
        if not declared:
            told = [name for name in names if name in shown]
            reading.check(not told, f"{told} published though a domain is not declared")
        if drawn.microaggregated:
            return
        cuts = "cuts" in private.get("chosen", {})  # type: ignore[operator]
        if cuts and not declared:
            return
        gone = len(self.source) - len(kept)
        weight = sum(drawn.weights)
        lost = self._lost(kept, self.source)
        if lost is not None:
            found = {"gl": lost, "sl": weight * gone, "loss": lost + weight * gone}
            for name, value in found.items():
                if name in whole:
                    reading.same(name, value, float(whole[name]), "private")
        if declared and drawn.row_id is not None:
            numbers = {row[drawn.row_id] for row in kept}
            seen = [row for row in self.source if row[drawn.row_id] in numbers]
            lost = self._lost(kept, seen)
            if lost is not None:
                reading.check("gl" in shown, "gl is not published though domains are declared")
                for name in ("gl", "loss"):
                    if name in shown:
                        reading.same(name, lost, float(shown[name]), "public")

    def _lost(self, kept: Sequence[Row], known: Sequence[Row]) -> float | None:
        """Return Σ w (|label| - 1)/(|domain| - 1) over the cells; None if labels are ambiguous.

        Missing values are in the domain if one of the ``known`` rows lacks the value.
        """
        total = 0.0
        for column, weight in zip(self.drawn.columns, self.drawn.weights, strict=True):
            values = self._values(column)
            if not values and not column.declared:
                return None
            gap = self._has_gap(column, known)
            size = len(column.domain(values)) + gap
            for text, times in Counter(row[column.name] for row in kept).items():
                sizes = {len(c) for c in column.covers(str(text), values, missing=gap)}
                if len(sizes) != 1:
                    return None
                total += weight * times * (sizes.pop() - 1) / max(1, size - 1)
        return total

    def check_codebook(self, book: Mapping[str, object]) -> None:
        """See that the codebook has exactly the labels of the file."""
        columns = book["columns"]
        assert isinstance(columns, dict)
        kept = [row for row in self.rows if not self.is_starred(row)]
        for name in self.names:
            listed = {label["label"] for label in columns[name]["labels"]}
            occurring = {row[name] for row in kept}
            self.reading.check(
                listed == occurring,
                f"the codebook of {name!r} lists {listed ^ occurring}",
            )


def _statistic_holds(
    column: DrawnColumn, described: Mapping[str, object], values: Sequence[str], text: str | None
) -> bool:
    if not values:
        return text == MISSING
    statistic = described["statistic"]
    if statistic == "mode":
        counts = Counter(values)
        most = max(counts.values())
        modes = {value for value, count in counts.items() if count == most}
        return text in modes or (
            isinstance(column, NumberColumn)
            and any(Decimal(m) == Decimal(str(text)) for m in modes)
        )
    if isinstance(column, NumberColumn):
        numbers = sorted(map(Fraction, values))
        if statistic == "median":
            return Fraction(str(text)) == numbers[(len(numbers) - 1) // 2]
        digits = described["digits"]
        assert isinstance(digits, int)
        mean = sum(numbers, Fraction(0)) / len(numbers)
        return abs(Fraction(str(text)) - mean) <= Fraction(1, 2 * 10**digits)
    if isinstance(column, CategoryColumn):
        return text in values
    return text == sorted(values)[(len(values) - 1) // 2]
