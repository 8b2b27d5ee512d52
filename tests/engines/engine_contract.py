"""What every engine must do: a test class derives from these and gives the fixture ``engine``."""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import nullcontext
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.odd_tables import (
    CANARY,
    COLUMNS,
    FILES,
    ODD_CSV,
    ODD_NAMES,
    ODD_PARQUET_ROWS,
    ODD_ROWS,
    ROWS,
    SMALL_FILES,
    csv_file,
    odd_parquet,
    parquet_file,
    parquet_numbers,
    people,
    released,
    study,
)
from tests.microdata.counted_rows import Row, rows_of
from tests.raised import raises

import sfumato as sf
from sfumato.engines.engine import profile
from sfumato.engines.gaps import Capability
from sfumato.engines.messages.coarsening import CoarsenedValues
from sfumato.engines.messages.grouped_counts import PRESENT, AnonymizedTable, PersonKey
from sfumato.errors import SettingsError, SourceError
from sfumato.hierarchies.domains.date_unit import period_label, period_number
from sfumato.hierarchies.domains.exact_number import tidy_number
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.engines.engine import Engine
    from sfumato.sources.source import Source

COUNTED = ("cell_codes", "cell_sizes", "entry_starts", "entry_codes", "entry_counts")
BIAS = {
    "class-size-gini",
    "class-size-quantile",
    "class-size-worst-tenth",
    "row-loss-gini",
    "row-loss-worst-tenth",
}


def counted(engine: Engine, source: Source | Path) -> Counter[Row]:
    source = source_of(source)
    return rows_of(engine.count(source, engine.columns(source)))


def same_count_table(first: sf.Study, second: sf.Study) -> None:
    for name in COUNTED:
        assert np.array_equal(getattr(first.count_table, name), getattr(second.count_table, name))
    assert first.count_table.hierarchies == second.count_table.hierarchies


def coarse_number(text: str, rule: sf.CoarseNumbers) -> str | None:
    """Round half up, then cap, in exact decimals; missing values stay."""
    if text in ("", "?"):
        return text or None
    number = Decimal(text)
    if rule.round is not None:
        assert isinstance(rule.round, Decimal)
        number = (number / rule.round + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * rule.round
    number = number if rule.top is None else min(number, Decimal(rule.top))
    number = number if rule.bottom is None else max(number, Decimal(rule.bottom))
    return tidy_number(number)


def coarse_date(text: str, rule: sf.CoarseDates) -> str | None:
    if text in ("", "?"):
        return text or None
    day = min(max(text[:10], str(rule.bottom)), str(rule.top))
    return period_label(period_number(date.fromisoformat(day), rule.unit), rule.unit)


def visits_table() -> pd.DataFrame:
    """Return rows with a rare spelling, amounts and days."""
    return pd.DataFrame(
        {
            "age": [20 + number % 40 for number in range(120)],
            "illness": ["Flu", "gout", "flu ", "Flu", "asthma"] * 24,
            "income": [float(number * 37 % 1200) for number in range(120)],
            "day": [f"20{number % 3:02}-{number % 12 + 1:02}-15" for number in range(120)],
        }
    )


class CountingContract:
    """Every engine counts the same texts."""

    @pytest.mark.parametrize("make", FILES, ids=lambda make: make.__name__)
    def test_files(self, engine: Engine, make: Callable[[Path], Source], tmp_path: Path) -> None:
        source = make(tmp_path)
        assert engine.columns(source) == tuple(COLUMNS)
        assert counted(engine, source) == ROWS
        reordered = ['odd; "name".', "Age"]
        assert rows_of(engine.count(source, reordered)) == Counter(
            zip(COLUMNS[reordered[0]], COLUMNS[reordered[1]], strict=True)
        )
        most = engine.rows_at_most(source)
        assert most is None or most >= 5

    def test_values_are_in_the_order_of_their_texts_and_missing_last(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        source = parquet_numbers(tmp_path)
        grouped = engine.count(source, ["Age"])
        assert grouped.columns["Age"].values == ("39", "40", None)
        assert grouped.columns["Age"].codes.dtype == np.int32
        assert grouped.counts.dtype == np.int64
        assert engine.values(source, ["Age", "age"]) == {
            "Age": ("39", "40", None),
            "age": ("x", "y"),
        }
        assert engine.values(source, ["age"], complete=["Age"], markers=["40"]) == {"age": ("x",)}

    def test_a_text_file_with_odd_names_and_texts(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "odd {1} [*].csv"
        path.write_bytes(ODD_CSV.encode())
        (tmp_path / "odd {1} [x].csv").write_text("other,columns\n1,2\n")
        assert engine.columns(source_of(path)) == ODD_NAMES
        assert counted(engine, path) == ODD_ROWS

    def test_typed_columns(self, engine: Engine, tmp_path: Path) -> None:
        folder = tmp_path / "year=2020"
        folder.mkdir()
        path = odd_parquet(folder / "odd.parquet")
        assert "year" not in engine.columns(source_of(path))
        assert counted(engine, path) == ODD_PARQUET_ROWS

    @pytest.mark.parametrize("name", SMALL_FILES)
    def test_small_and_odd_files(self, engine: Engine, name: str, tmp_path: Path) -> None:
        content, rows = SMALL_FILES[name]
        (tmp_path / name).write_bytes(content)
        assert counted(engine, tmp_path / name) == rows

    @pytest.mark.parametrize("rows", [0, 1])
    def test_hardly_any_rows(self, engine: Engine, rows: int, tmp_path: Path) -> None:
        columns = {"a": pa.array(["x"] * rows, pa.string()), "b": pa.array([None] * rows)}
        found = counted(engine, parquet_file(tmp_path, columns))
        assert found == Counter({("x", None): rows} if rows else {})

    def test_only_named_values_are_told_apart(self, engine: Engine, tmp_path: Path) -> None:
        columns: dict[str, object] = {
            "ward": ["surgery", "it's", "gone", "other", None],
            "name": ["patient 3", *["patient 4"] * 4],
            "age": pa.array([1.0, 2.0, None, 2.0, 2.0]),
        }
        source = parquet_file(tmp_path, columns)
        told = {"ward": ("surgery", "other", "it's"), "name": ("patient 3",), "age": ()}
        assert rows_of(engine.count(source, list(columns), told_apart=told)) == Counter(
            [
                ("surgery", "patient 3", "other"),
                ("it's", "other", "other"),
                ("other'", "other", None),
                ("other", "other", "other"),
                (None, "other", "other"),
            ]
        )

    def test_coarser_values_and_estimates(self, engine: Engine, tmp_path: Path) -> None:
        source = parquet_numbers(tmp_path)
        coarser = {"Age": {"40": "39"}, "age": {}}
        assert rows_of(engine.count(source, ["Age", "age"], coarser=coarser)) == Counter(
            {("39", "x"): 3, ("39", "y"): 1, (None, "y"): 1}
        )
        assert engine.combinations(source, ["Age"], [{}, coarser]) == (3, 2)
        told = {"age": ("x",)}
        assert engine.combinations(source, ["age"], [{}], told_apart=told) == (2,)

    def test_values_coarsened_by_a_rule(self, engine: Engine, tmp_path: Path) -> None:
        """Against exact decimals and the calendar of Python."""
        rng = random.Random(5)
        amounts = [str(rng.randrange(-(10**6), 10**6) / 10 ** rng.randrange(4)) for _ in range(80)]
        amounts += ["-12.5", "12.5", "0", "-0.0", "7.500", "1e3", "?", "", "0.1"]
        days = [date(1900, 1, 1) + timedelta(days=rng.randrange(60000)) for _ in range(85)]
        texts = [day.isoformat() for day in days] + ["", "?", "2024-02-29T08:00", "1999-12-31 1:2"]
        path = tmp_path / "values.csv"
        lines = [f"{a},{d}" for a, d in zip(amounts, texts, strict=True)]
        path.write_text("\n".join(["amount,day", *lines, ""]), encoding="utf-8")
        source = source_of(path)
        for numbers in (
            sf.CoarseNumbers(round=5),
            sf.CoarseNumbers(round="0.25", top=99, bottom="-0.5"),
            sf.CoarseNumbers(round=1000, bottom=-2500),
            sf.CoarseNumbers(top=100),
        ):
            rule = CoarsenedValues(rule=numbers, markers=("?",))
            found = rows_of(engine.count(source, ["amount"], coarser={"amount": rule}))
            assert found == Counter((coarse_number(a, numbers),) for a in amounts), numbers
        for unit in ("day", "month", "quarter", "year", "decade"):
            dates = sf.CoarseDates(unit=unit, top="2010-06-30", bottom="1950-01-01")
            coarser = {"day": CoarsenedValues(rule=dates, markers=("?",))}
            found = rows_of(engine.count(source, ["day"], coarser=coarser))
            assert found == Counter((coarse_date(text, dates),) for text in texts), unit
            assert engine.unreadable(source, coarser, most=2) == {}

    def test_values_that_a_rule_cannot_read(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "values.csv"
        odd = ["1,2020-02-30", "k.A.,2020-1-3", "k.A.,2020-01-01x", "2_,2020", ",", "?,?"]
        path.write_text("\n".join(["amount,day", *odd, ""]), encoding="utf-8")
        found = engine.unreadable(
            source_of(path),
            {
                "amount": CoarsenedValues(rule=sf.CoarseNumbers(round=1), markers=("?",)),
                "day": CoarsenedValues(rule=sf.CoarseDates(unit="month"), markers=("?",)),
            },
            most=2,
        )
        assert found["amount"].rows == 3
        assert found["amount"].texts == ("k.A.", "2_")
        assert found["day"].rows == 4
        assert len(found["day"].texts) == 2

    def test_facts_of_columns(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "facts.csv"
        cells = ["=1", "-5", "a@b.de", "123456789", "-x", "1.5", "", "'a"]
        lines = [f"{cell},{number % 2},{number % 3}" for number, cell in enumerate(cells)]
        path.write_text("\n".join(["cell,two,three", *lines, ""]), encoding="utf-8")
        source = source_of(path)
        facts = engine.facts(source, ["cell", "two"])
        cell = facts.columns["cell"]
        assert (facts.rows, cell.present, cell.distinct) == (8, 7, 7)
        assert (cell.numbers, cell.whole) == (3, 2)
        assert (cell.long_numbers, cell.formulas) == (1, 2)
        assert facts.columns["two"].distinct == 2
        sets = [("two",), ("three", "two"), ("cell",)]
        assert engine.about_distinct(source, sets) == (2, 6, 8)
        assert engine.unique_rows(source, sets) == ((2, 0, 8), (6, 4, 8), (8, 8, 8))
        merged = engine.unique_rows(source, [("two", "three")], coarser={"three": {"2": "1"}})
        assert merged == ((4, 1, 8),)

    def test_facts_name_what_drawn_values_look_like(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "kinds.csv"
        lines = [f"{n}@example.org,2024-03-{n % 28 + 1:02d},{n % 95},{n}" for n in range(1200)]
        path.write_text("\n".join(["contact,day,age,row", *lines, ""]), encoding="utf-8")
        source = source_of(path)
        facts = engine.facts(source, ["contact", "day", "age", "row"], outlined=["row"]).columns
        kinds = {
            name: tuple(kind and kind.name for kind in (fact.identifier, fact.coarsenable))
            for name, fact in facts.items()
        }
        assert kinds == {
            "contact": ("email", None),
            "day": (None, "date"),
            "age": (None, "age"),
            "row": (None, None),
        }

    def test_matched_rows(self, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "one").mkdir()
        source = parquet_file(tmp_path, {"id": ["a", "b", "c"], "age": [1, 2, 3]})
        other = parquet_file(tmp_path / "one", {"id": ["c", "a"], "age": ["[3, 4)", "[1, 2)"]})
        table = AnonymizedTable(source=other, columns=("age",), unchanged=())
        assert rows_of(engine.count_matched(source, ["age"], [table], key="id")) == Counter(
            [("1", "[1, 2)", PRESENT), ("2", None, None), ("3", "[3, 4)", PRESENT)]
        )
        with raises(SourceError, code="unknown-column", column="ID", suggestion="id"):
            engine.count_matched(source, ["age"], [table], key="ID")

    def test_people_are_numbers(self, engine: Engine, tmp_path: Path) -> None:
        rows = [
            ("Ann", "1", "f", "flu"),
            ("Ann", "1", "f", "flu"),
            ("Ann", "1", "f", "none"),
            ("Ann", "2", "f", "flu"),
            ("Bob", "1", "m", "flu"),
            ("Eve", "3", "f", "flu"),
            ("Eve", "3", "m", "flu"),
        ]
        path = tmp_path / "visits.csv"
        path.write_text("name,house,sex,illness\n" + "".join(f"{','.join(r)}\n" for r in rows))
        key = PersonKey(columns=("house", "name"))
        grouped = engine.count(source_of(path), ["sex", "illness"], person=key)
        assert grouped.people is not None
        texts = [column.values for column in grouped.columns.values()]
        assert [set(map(str, each)) for each in texts] == [{"f", "m"}, {"flu", "none"}]
        sexes, illnesses = (
            [str(column.values[code]) for code in column.codes]
            for column in grouped.columns.values()
        )
        found = list(
            zip(
                sexes,
                illnesses,
                grouped.counts.tolist(),
                grouped.people.persons.tolist(),
                grouped.people.counts.tolist(),
                strict=True,
            )
        )
        # The other Ann and Bob have one combination each; the first Ann and Eve have two.
        alone = sorted(each for each in found if each[3] < 0)
        assert alone == [("f", "flu", 1, -1, 1), ("m", "flu", 1, -1, 1)]
        several: dict[int, set[tuple[str, str, int]]] = {}
        for sex, illness, count, person, many in found:
            if person >= 0:
                assert many == 1
                several.setdefault(person, set()).add((sex, illness, count))
        assert sorted(map(sorted, several.values())) == [
            [("f", "flu", 1), ("m", "flu", 1)],
            [("f", "flu", 2), ("f", "none", 1)],
        ]
        for most, fits in ((6, True), (5, False)):
            limited = PersonKey(columns=("house", "name"), most=most)
            with (
                nullcontext()
                if fits
                else raises(
                    SourceError, code="too-many-combinations", key="most_combinations", found="5"
                )
            ):
                engine.count(source_of(path), ["sex", "illness"], person=limited)
        with path.open("a") as file:
            file.write(",9,f,flu\nNA,9,f,flu\n")
        marked = PersonKey(columns=("house", "name"), markers=("NA",))
        with raises(SourceError, code="missing-person", column="house", found="2"):
            engine.count(source_of(path), ["sex"], person=marked)

    def test_the_content_is_that_of_the_rows(self, engine: Engine, tmp_path: Path) -> None:
        digests = []
        for number, ages in enumerate(([1, 2, 2], [2, 1, 2], [1, 1, 2], [1, 2])):
            (tmp_path / str(number)).mkdir()
            digests.append(engine.content(parquet_file(tmp_path / str(number), {"age": ages})))
        assert digests[0] == digests[1]
        assert len(set(digests)) == 3
        assert [digest.rows for digest in digests] == [3, 3, 3, 2]

    def test_what_is_asked_for_must_be_there(self, engine: Engine, tmp_path: Path) -> None:
        source = csv_file(tmp_path)
        with raises(SourceError, code="unknown-column", file=source, column="AGE"):
            engine.count(source, ["Age", "AGE", "income"])
        with raises(SettingsError, code="too-few"):
            engine.count(source, [])
        with raises(SourceError, code="no-such-file", file=tmp_path / "none"):
            engine.columns(sf.ParquetFile(path=tmp_path / "none"))

    @pytest.mark.parametrize("content", [b"", b"short", f"{CANARY}\n".encode() * 99])
    def test_errors_do_not_repeat_values(
        self, engine: Engine, content: bytes, tmp_path: Path
    ) -> None:
        path = tmp_path / "people.parquet"
        path.write_bytes(content)
        ragged = tmp_path / "ragged.csv"
        ragged.write_text(f"a,b\n1,2\n{CANARY}\n")
        for source, code in (
            (sf.ParquetFile(path=path), "not-parquet"),
            (sf.CsvFile(path=ragged), "ragged-rows"),
        ):
            with raises(SourceError, code=code) as caught:
                counted(engine, source)
            assert CANARY not in str(caught.value) + repr(vars(caught.value))
            assert caught.value.__suppress_context__


def use(capability: Capability, engine: Engine, folder: Path) -> object:
    """Ask an engine for what only some can do."""
    source = parquet_file(folder, {"id": ["a", "b"], "nested": [[1], [1, 2]]})
    assert isinstance(source, sf.ParquetFile)
    match capability:
        case Capability.PROFILE:
            return profile(engine, source)
        case Capability.MATCH_BY_ORDER:
            other = AnonymizedTable(source=source, columns=("id",), unchanged=())
            return engine.count_matched(source, ["id"], [other])
        case Capability.COUNT_NESTED:
            return engine.count(source, ["nested"])
        case Capability.READ_MEMORY:
            return engine.columns(source_of(pa.table({"a": [1]})))
        case Capability.READ_DATABASE:
            import duckdb

            with duckdb.connect(str(folder / "people.duckdb")) as connection:
                connection.execute("CREATE TABLE people AS SELECT 1 AS a")
            return engine.columns(sf.DatabaseTable(path=folder / "people.duckdb", table="people"))
        case Capability.READ_WHOLE:
            sheet = folder / "people.xlsx"
            pd.DataFrame({"a": ["1"]}).to_excel(sheet, index=False)
            return engine.columns(source_of(sheet))
        case Capability.READ_CATALOG:
            table = f"parquet.`{source.path}`"
            return engine.columns(sf.CatalogTable(table=table))


class GapContract:
    """An engine can do what it does not declare as a gap, and refuses what it declares."""

    @pytest.mark.parametrize("capability", Capability, ids=lambda each: each.name.lower())
    def test_gaps(self, engine: Engine, capability: Capability, tmp_path: Path) -> None:
        if capability not in engine.gaps.instead:
            assert use(capability, engine, tmp_path)
            return
        with raises(SourceError, code=f"cannot-{capability.name.lower().replace('_', '-')}"):
            use(capability, engine, tmp_path)


class ReleaseContract:
    """A study gives the same on every engine, to the last row; DuckDB's is the reference."""

    kind: ClassVar[str]

    def test_front_release_and_audit(self, engine: Engine, tmp_path: Path) -> None:
        file = people(tmp_path / f"people.{self.kind}")
        here, there = study(file), study(file, engine)
        same_count_table(here, there)
        front = there.search().front
        assert front == here.search().front
        solution = max(front, key=lambda each: each.suppressed)
        assert solution.suppressed > 0
        how = "drop" if self.kind == "csv" else "star"
        mine, theirs = tmp_path / f"here.{self.kind}", tmp_path / f"there.{self.kind}"
        private = tmp_path / "private.json"
        expected = here.release(solution, mine, suppressed_rows=how, ledger=False)
        found = there.release(
            solution, theirs, suppressed_rows=how, private_certificate=private, ledger=False
        )
        assert released(theirs) == released(mine)
        assert (found.rows, found.starred) == (expected.rows, expected.starred)
        assert found.metrics == expected.metrics
        assert found.verified == expected.verified
        assert set(found.verified) >= BIAS
        public = json.loads((tmp_path / f"there.{self.kind}.certificate.json").read_text())
        other = json.loads((tmp_path / f"here.{self.kind}.certificate.json").read_text())
        assert theirs.is_dir() is engine.writes_parts
        if engine.writes_parts:
            parts = list(theirs.iterdir())
            assert all(part.name.startswith("part-") for part in parts)
            assert public["release"].pop("parts") == len(parts)
        for key in ("file", "sha256"):
            public["release"].pop(key)
            other["release"].pop(key)
        # It names the file.
        assert public.pop("how_to_check").replace("there.", "here.") == other.pop("how_to_check")
        assert public == other
        whole = there.audit(theirs, private_certificate=private).whole_table
        assert whole is not None
        promised = there.evaluate(solution).values
        assert whole["k"] == promised["k"]
        assert whole["loss"] == pytest.approx(promised["loss"])
        assert there.audit(theirs).metrics == here.audit(mine).metrics

    def test_coarsened_and_normalized_columns(self, engine: Engine, tmp_path: Path) -> None:
        """What is counted, written, verified and audited is what the rules make of the values."""
        file = tmp_path / f"visits.{self.kind}"
        visits = visits_table()
        if self.kind == "csv":
            visits.to_csv(file, index=False)
        else:
            visits.to_parquet(file, index=False)
        made = sf.Study(
            source=file,
            attributes=[
                sf.quasi_identifying("age", sf.Intervals(widths=(10, 20))),
                sf.sensitive("illness", normalize=True),
                sf.sensitive("income", coarsen=sf.CoarseNumbers(round=100, top=900)),
                sf.insensitive("day", coarsen=sf.CoarseDates(unit="quarter")),
            ],
            objectives=["k", "distinct-l", "t", "loss"],
            engine=engine,
        )
        out, private = tmp_path / f"out.{self.kind}", tmp_path / "private.json"
        release = made.release({"age": 2}, out, private_certificate=private)
        names, *rows = released(out)
        assert names == tuple(visits.columns)
        income = [min(900, int(each / 100 + 0.5) * 100) for each in visits["income"]]
        quarters = [f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}" for day in visits["day"]]
        illness = ["flu" if each.strip().lower() == "flu" else each for each in visits["illness"]]
        wanted = Counter(zip(illness, map(float, income), quarters, strict=True))
        assert Counter((row[1], float(str(row[2])), row[3]) for row in rows) == wanted
        assert release.changed.keys() == {"illness", "income", "day"}
        assert release.unchanged == ()
        assert {"distinct-l", "t"} <= set(release.verified)
        whole = made.audit(out, private_certificate=private).whole_table
        assert whole is not None
        assert whole["distinct-l"] == release.promised["distinct-l"]
        assert whole["t"] == pytest.approx(release.promised["t"])
        codes = {finding.code for finding in release.findings}
        assert "spelling-variants" not in codes
        certificate = json.loads((tmp_path / f"out.{self.kind}.certificate.json").read_text())
        assert certificate["changed"] == dict(release.changed)

    def test_comparison_by_a_key(self, engine: Engine, tmp_path: Path) -> None:
        path = people(tmp_path / "people.parquet")
        table = pq.read_table(path).slice(0, 100)
        table = table.set_column(1, "post code", pa.array(["*"] * 100))
        table = table.set_column(2, "a.ge", pa.array([_decade(age) for age in table["a.ge"]]))
        sexes = [value or "(missing)" for value in table['S`e"x'].to_pylist()]
        pq.write_table(table.set_column(3, 'S`e"x', pa.array(sexes)), tmp_path / "other.parquet")
        node = {"post code": 0, "a.ge": 2, 'S`e"x': 0}
        found = [
            one.compare(tmp_path / "other.parquet", node, key="Name").sentences
            for one in (study(path), study(path, engine))
        ]
        assert found[0] == found[1]

    def test_minimum_levels_and_the_guard(self, engine: Engine, tmp_path: Path) -> None:
        path = people(tmp_path / "people.parquet")
        minimum_levels = {"post code": 0, "a.ge": 2, 'S`e"x': 0}

        def with_minimum(chosen: object, most: int = 1000) -> sf.Study:
            plain = study(path, chosen)
            return sf.Study(
                source=path,
                attributes=[
                    sf.quasi_identifying(a.name, a.hierarchy, minimum_level=minimum_levels[a.name])
                    if a.hierarchy is not None
                    else a
                    for a in plain.attributes
                ],
                engine=plain.engine,
                most_combinations=most,
            )

        here, there = with_minimum(None), with_minimum(engine)
        same_count_table(here, there)
        assert here.search().front == there.search().front
        with pytest.raises(SourceError, match=r"minimum-level = 3 of column 'a\.ge'"):
            _ = with_minimum(engine, most=40).count_table

    @pytest.mark.parametrize("names", [50, 119])
    def test_people(self, engine: Engine, tmp_path: Path, names: int) -> None:
        file = people(tmp_path / f"people.{self.kind}", names=names)
        here, there = study(file, person=True), study(file, engine, person=True)
        same_count_table(here, there)
        assert there.count_table.units == names
        assert there.count_table.people_in_several_cells
        front = there.search(method="sweep").front
        assert front == here.search(method="sweep").front
        solution = max(front, key=lambda each: each.suppressed)
        how = "drop" if self.kind == "csv" else "star"
        mine, theirs = tmp_path / f"here.{self.kind}", tmp_path / f"there.{self.kind}"
        private = tmp_path / "private.json"
        expected = here.release(solution, mine, suppressed_rows=how, ledger=False)
        found = there.release(
            solution, theirs, suppressed_rows=how, private_certificate=private, ledger=False
        )
        assert released(theirs) == released(mine)
        assert found.metrics == expected.metrics
        assert found.verified == expected.verified
        assert {"k", "distinct-l", "t", "s-k", "the number of people"} <= set(found.verified)
        assert json.loads(private.read_text())["people"] == names
        assert "n0001" not in private.read_text()


def _decade(age: object) -> str:
    first = int(str(age)) // 10 * 10
    return f"[{first}, {first + 10})" if first < 50 else "[50, 60)"
