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
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pyarrow.parquet
from tools.fuzz_releases.columns import MISSING, CategoryColumn, NumberColumn
from tools.fuzz_releases.records import Measuring, Record, misfits, people, weighted_k
from tools.fuzz_releases.verdict import judge, missed, most_suppressed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tools.fuzz_releases.columns import DrawnColumn
    from tools.fuzz_releases.records import Class
    from tools.fuzz_releases.studies import DrawnStudy, Row

STAR = "*"
BARE = "bare.csv"
"""A release of the same recoding without suppression, which tells the class of every row."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_ESCAPED = re.compile(r"'+[=+\-@\t\r].+", re.DOTALL)


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
    if drawn.escape:
        rows = [{n: _unescaped(cell, reading) for n, cell in row.items()} for row in rows]
        reading.check(public["release"]["csv"]["escaped_formulas"], "escaping is not certified")
    released = _Released(
        drawn=drawn,
        header=header,
        rows=rows,
        reading=reading,
        starred=public["release"].get("starred", 0) > 0,
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
        reading.check(b"CANARY" not in _content(path), f"an identifier is in {path.name}")
    if drawn.codebook:
        released.check_codebook(json.loads((folder / "book.json").read_text(encoding="utf-8")))
    released.check_said(public, private)
    if (folder / BARE).exists():
        released.check_suppressed(kept, folder, private)
    return reading


def wrong_refusal(drawn: DrawnStudy, folder: Path, threshold: int | None) -> str | None:
    """Say why a recoding may be released that was refused, None if the refusal was right."""
    _, rows = _file(folder / BARE)
    whole = _Released(drawn=drawn, header=[], rows=rows, reading=Reading(), starred=False)
    verdict = judge(drawn, whole.classes(rows), threshold)
    if verdict.refused is not None:
        return None
    return f"refused though {len(verdict.kept)} classes can be kept and meet all that is asked"


def top_meets(drawn: DrawnStudy) -> bool:
    """Say whether all rows in one class meet all that is asked."""
    whole = _Released(drawn=drawn, header=[], rows=[], reading=Reading(), starred=False)
    one = [whole.record_of(row, row) for row in drawn.counted_rows]
    return bool(one) and judge(drawn, [one], None).refused is None


def _content(path: Path) -> bytes:
    if path.is_dir():
        return b"".join(part.read_bytes() for part in sorted(path.iterdir()))
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _file(path: Path) -> tuple[list[str], list[Row]]:
    """Read the columns and rows of a file or a folder of parts; an empty field is missing."""
    if path.is_dir():
        parts = [_part(part, path.suffix) for part in sorted(path.glob("part-*"))]
        return parts[0][0], [row for _, rows in parts for row in rows]
    return _part(path, path.suffix)


def _part(path: Path, suffix: str) -> tuple[list[str], list[Row]]:
    if suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        rows = [{name: _text(v) for name, v in row.items()} for row in table.to_pylist()]
        return list(table.column_names), rows
    stream = io.StringIO(_content(path).decode("utf-8"), newline="")
    header, *lines = csv.reader(stream, delimiter="\t" if ".tsv" in path.name else ",")
    return header, [{n: c or None for n, c in zip(header, line, strict=True)} for line in lines]


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def _unescaped(cell: str | None, reading: Reading) -> str | None:
    if cell is None:
        return None
    runs = cell[0] in "=+-@\t\r" and len(cell) > 1 and not _NUMBER.fullmatch(cell.strip())
    reading.check(not runs, f"a spreadsheet would run {cell!r}")
    return cell[1:] if _ESCAPED.fullmatch(cell) else cell


@dataclass(kw_only=True)
class _Released:
    drawn: DrawnStudy
    header: list[str]
    rows: list[Row]
    reading: Reading
    starred: bool
    """Whether rows with * everywhere are suppressed ones, as the public certificate says."""

    def __post_init__(self) -> None:
        self.names = [column.name for column in self.drawn.columns]
        self.source = list(self.drawn.counted_rows)
        row_id = self.drawn.row_id
        self.origin = {row[row_id]: row for row in self.source} if row_id else {}
        self.payload = {each.name: each for each in self.drawn.payload}

    def lacks(self, value: str | None) -> bool:
        """Say whether a value of the source is missing."""
        return self.drawn.lacks(value)

    def value(self, name: str, text: str | None) -> str:
        """Return a value of the file as it counts."""
        if self.lacks(text):
            return MISSING
        payload = self.payload.get(name)
        return str(text) if payload is None else payload.read(str(text))

    def record(self, row: Row) -> Record:
        """Return what a row of the file tells, and what only the source knows of it."""
        before = self.origin.get(row[self.drawn.row_id]) if self.drawn.row_id else None
        return self.record_of({n: self.value(n, row[n]) for n in self._told}, before)

    def record_of(self, row: Mapping[str, str | None], before: Row | None) -> Record:
        """Return the record of values as they count; ``before`` is the row of the source."""
        drawn = self.drawn
        source = before or {}
        if row is before:
            row = {name: drawn.released(name, source[name]) for name in self._told}
        told = {name: str(text) for name, text in row.items()}
        was = told | {
            name: drawn.released(name, source[name])
            for each in drawn.statements
            for name in ([each.where.column] if each.where else [])
        }
        protects = [each.protected(was) for each in drawn.statements]
        damages = tuple(
            0.0 if not own else (1 / sum(protects) if each.damage is None else each.damage)
            for each, own in zip(drawn.statements, protects, strict=True)
        )
        unit: object = object()
        if drawn.person:
            unit = tuple(source[name] for name in drawn.person)
        return Record(
            unit=unit,
            values={name: told[name] for name in drawn.sensitive},
            label=told.get(drawn.label) if drawn.label else None,
            satisfied=tuple(each.satisfied(told) for each in drawn.statements),
            damages=damages,
        )

    @property
    def _told(self) -> list[str]:
        label = [self.drawn.label] if self.drawn.label else []
        return [*dict.fromkeys([*self.drawn.sensitive, *label])]

    def is_starred(self, row: Row) -> bool:
        """Say whether a row is a suppressed one that was kept with ``*``."""
        return self.starred and all(row[name] == STAR for name in self.names)

    def classes(self, rows: Sequence[Row]) -> list[Class]:
        """Return the records of rows with equal cells."""
        found: defaultdict[tuple[str | None, ...], Class] = defaultdict(list)
        for row in rows:
            found[tuple(row[name] for name in self.names)].append(self.record(row))
        return list(found.values())

    def everybody(self) -> Class:
        """Return the records of the source."""
        return [self.record_of(row, row) for row in self.source]

    def gone(self, kept: Sequence[Row]) -> Class | None:
        """Return the records of the suppressed rows, None if nothing tells which they are."""
        if self.drawn.row_id is None:
            return None
        numbers = {row[self.drawn.row_id] for row in kept}
        left = [row for row in self.source if row[self.drawn.row_id] not in numbers]
        return [self.record_of(row, row) for row in left]

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
        starred = [row for row in self.rows if self.is_starred(row)]
        if self.drawn.star:
            check = self.reading.check
            check(len(starred) == gone, f"{len(starred)} starred rows, {gone} suppressed")
            others = [name for name in self.header if name not in self.names]
            empty = all(row[name] is None for row in starred for name in others)
            check(empty, "a starred row has values in other columns")

    def check_promises(self, kept: Sequence[Row]) -> None:
        """See that the policy, the criteria and what is required hold."""
        drawn, check = self.drawn, self.reading.check
        gone = len(self.source) - len(kept)
        limit = most_suppressed(drawn, len(self.source))
        check(limit is None or gone <= limit, f"{gone} rows suppressed, and {limit} may be")
        classes = self.classes(kept)
        if drawn.given_k is not None:
            least = min(map(people, classes))
            check(least >= drawn.given_k, f"a class has {least} people under a given k")
        asked = (*drawn.criteria, *drawn.require)
        for criterion in missed(drawn, asked, classes, self.everybody()):
            check(False, f"{criterion} is not met")

    def check_suppressed(
        self, kept: Sequence[Row], folder: Path, private: Mapping[str, object]
    ) -> None:
        """See that exactly those rows are suppressed that the policy says."""
        chosen = json.loads((folder / "chosen.json").read_text(encoding="utf-8"))
        _, rows = _file(folder / BARE)
        classes = self.classes(rows)
        verdict = judge(self.drawn, classes, chosen["threshold"])
        check = self.reading.check
        check(verdict.refused is None, f"released though {verdict.refused}")
        row_id = self.drawn.row_id
        assert row_id is not None
        numbers = {row[row_id] for row in kept}
        by_class: defaultdict[tuple[str | None, ...], list[str | None]] = defaultdict(list)
        for row in rows:
            by_class[tuple(row[name] for name in self.names)].append(row[row_id])
        stay = {id(each) for each in verdict.kept}
        expected = {
            number
            for group, members in zip(classes, by_class.values(), strict=True)
            if id(group) in stay
            for number in members
        }
        check(numbers == expected, f"{len(numbers ^ expected)} rows are suppressed or kept wrongly")
        self.reading.recomputed.append("private suppressed rows")
        metrics = private["metrics"]
        assert isinstance(metrics, dict)
        self.reading.same("weighted-k", weighted_k(classes), metrics["weighted-k"], "private")

    def check_said(self, public: Mapping[str, object], private: Mapping[str, object]) -> None:
        """See that certificates say what was asked, and no more than they may."""
        drawn, check = self.drawn, self.reading.check
        both = [*drawn.criteria, *drawn.require]
        secret = [text for text in both if not text.startswith("k>=")]
        silent = drawn.failing and bool(secret)
        told = {text for text in drawn.require if not silent or text not in secret}
        check(set(public.get("require", ())) == told, f"require: {public.get('require')}")  # type: ignore[call-overload]
        check(set(private.get("require", ())) == set(drawn.require), "require is not recorded")  # type: ignore[call-overload]
        starred = public["release"].get("starred")  # type: ignore[attr-defined]
        check((starred is not None) == drawn.star, f"{starred} rows are said to be starred")
        excepted = "excepted" in str(public["metrics_are_of"])
        check(excepted == bool(starred), "the rows that metrics are of")
        check(bool(drawn.person) == (public.get("counts") == "people"), "what is counted")
        stated = bool(drawn.statements) and not silent
        check(bool(public.get("statements")) == stated, "statements")
        changed = {each.name for each in drawn.payload if each.change != "none"}
        check(set(public.get("changed", ())) == changed, "how columns were changed")  # type: ignore[call-overload]
        if silent:
            whole = json.dumps(public, ensure_ascii=False)
            named = [text for text in (*secret, '"secure"', '"sf"') if text in whole]
            check(not named, f"the public certificate names {named}")

    def check_metrics(
        self,
        public: Mapping[str, float],
        private: Mapping[str, float],
        kept: Sequence[Row],
    ) -> None:
        """Compare the metrics of the kept rows, and of all rows, with the certificates."""
        drawn, classes, gone = self.drawn, self.classes(kept), self.gone(kept)
        seen = [record for group in classes for record in group]
        shown = self._measured(classes, [], seen)
        shown["weighted-k"] = weighted_k(classes)
        whole = {} if gone is None else self._measured(classes, gone, self.everybody())
        if drawn.label is not None:
            lost = sum(map(misfits, classes))
            missing = len(self.source) - len(kept)
            shown["cm"], whole["cm"] = lost / len(kept), (lost + missing) / len(self.source)
        for where, certified, found in (("public", public, shown), ("private", private, whole)):
            for name, expected in certified.items():
                if name in found:
                    self.reading.same(name, found[name], float(expected), where)
                elif name not in ("gl", "sl", "loss", "normalized-loss"):
                    self.reading.unknown.append(f"{where} {name}")

    def _measured(self, classes: list[Class], gone: Class, reference: Class) -> dict[str, float]:
        drawn = self.drawn
        found = Measuring(
            sensitive=drawn.sensitive,
            missing_counts=drawn.missing_counts,
            kept=classes,
            gone=gone,
            reference=reference,
        ).metrics()
        for name in drawn.sensitive:
            written = json.dumps(name, ensure_ascii=False)
            own = found[f"s-l {name}"]
            found |= {f"s-l(column={name})": own, f"s-l(column={written})": own}
            if len(drawn.sensitive) == 1:
                found["s-l"] = own
        return found

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
                wanted, found = before[name], row[name]
                if wanted == "" and not drawn.target.endswith(".parquet"):
                    wanted = None
                if not self.lacks(wanted) and name in self.payload:
                    wanted = drawn.released(name, wanted)
                    found = self.value(name, found)
                check(found == wanted, f"{name!r} changed from {wanted!r} to {found!r}")
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
                if column.minimum_level and not self.lacks(own):
                    block = column.block(str(own))
                    near = {column.leaf(v) for v in values if column.block(v) == block}
                    check(
                        near <= known[text],
                        f"{column.name!r}: the label {text!r} is below the minimum level",
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
        lost = self._lost(kept, self.source, cuts=cuts)
        if lost is not None:
            loss = lost + weight * gone
            found = {"gl": lost, "sl": weight * gone, "loss": loss}
            found["normalized-loss"] = loss / (len(self.source) * weight)
            for name, value in found.items():
                if name in whole:
                    reading.same(name, value, float(whole[name]), "private")
        if declared and drawn.row_id is not None:
            numbers = {row[drawn.row_id] for row in kept}
            seen = [row for row in self.source if row[drawn.row_id] in numbers]
            lost = self._lost(kept, seen, cuts=cuts)
            if lost is not None:
                reading.check("gl" in shown, "gl is not published though domains are declared")
                for name in ("gl", "loss"):
                    if name in shown:
                        reading.same(name, lost, float(shown[name]), "public")

    def _lost(self, kept: Sequence[Row], known: Sequence[Row], *, cuts: bool) -> float | None:
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
            labels = Counter(row[column.name] for row in kept)
            covers = {text: column.covers(str(text), values, missing=gap) for text in labels}
            if cuts and gap and not any(None in c for each in covers.values() for c in each):
                # Where no kept row lacks the value, no label says which block holds the gap.
                return None
            for text, times in labels.items():
                sizes = {len(c) for c in covers[text]}
                if cuts and gap and text == STAR:
                    # Where no kept row lacks the value, * can be the block of all known ones.
                    return None
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
