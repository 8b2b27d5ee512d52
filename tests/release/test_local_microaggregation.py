"""Releases of local recodings with the statistics of their classes in place of labels."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.local_tables import TOWNS, ZIPS, LocalTable, local_tables
from tests.release.naive_microaggregation import DATE, Kind, category_kind, number_kind, statistic
from tests.release.rewritten_rows import Row, read_rows
from tests.release.test_local_release import NAMES, label, leaf

import sfumato as sf
from sfumato.classes.anonymization import Anonymization
from sfumato.measures.catalogue import every_measure
from sfumato.measures.evaluation import evaluate
from sfumato.recoding.local import Local
from sfumato.release.codebook.codebook import Codebook
from sfumato.search.methods.local.mdav import MdavSettings, relative_squared_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.sources.source import Source

MICRO = "microaggregated"
Record = dict[str, str | None]


def with_statistics(drawn: LocalTable, which: Mapping[str, str]) -> LocalTable:
    attributes = [
        replace(a, statistic=sf.Statistic(which[a.name])) if a.name in which else a
        for a in drawn.study.attributes
    ]
    return replace(drawn, study=replace(drawn.study, attributes=attributes))


def naive_classes(
    drawn: LocalTable, which: Mapping[str, str], kinds: Mapping[str, Kind]
) -> list[tuple[Record, int]]:
    """Return every record with its class: those with equal labels, or statistics, are one."""
    table = drawn.table
    cell_of = {tuple(codes): n for n, codes in enumerate(table.cell_codes.T.tolist())}
    records: list[Record] = [
        {str(name): value for name, value in record.items()}
        for record in drawn.frame.to_dict("records")
    ]
    leaves = [tuple(leaf(drawn, q, r[n]) for q, n in enumerate(NAMES)) for r in records]
    own = [int(drawn.recoding.classes[cell_of[each]]) for each in leaves]

    def merged(texts: Mapping[int, tuple[str, ...]]) -> list[int]:
        first: dict[tuple[str, ...], int] = {}
        return [-1 if each < 0 else first.setdefault(texts[each], each) for each in own]

    while True:
        before = len(set(own))
        labels = {
            each: tuple(
                label(drawn, q, {of[q] for of, c in zip(leaves, own, strict=True) if c == each})
                for q in range(len(NAMES))
            )
            for each in set(own) - {-1}
        }
        own = merged(labels)
        found = list(zip(records, own, strict=True))
        own = merged({each: shown(found, each, which, kinds) for each in set(own) - {-1}})
        if len(set(own)) == before:
            return found


def shown(
    records: Sequence[tuple[Record, int]],
    own: int,
    which: Mapping[str, str],
    kinds: Mapping[str, Kind],
) -> tuple[str, ...]:
    texts = []
    for name in NAMES:
        values = [record[name] for record, each in records if each == own]
        known = [value for value in values if value is not None]
        texts.append(statistic(kinds[name], which[name], known) if known else "?")
    return tuple(texts)


@settings(max_examples=examples(40))
@given(
    drawn=local_tables(),
    which=st.fixed_dictionaries(
        {
            "age": st.sampled_from(("mean", "median", "mode")),
            "day": st.sampled_from(("mean", "median", "mode")),
            "zip": st.sampled_from(("mean", "median", "mode")),
            "town": st.sampled_from(("median", "mode")),
        }
    ),
    rows=st.sampled_from(("drop", "star")),
    suffix=st.sampled_from(("csv", "parquet")),
)
def test_against_plain_python(
    drawn: LocalTable,
    which: dict[str, str],
    rows: str,
    suffix: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    drawn = with_statistics(drawn, which)
    zips = number_kind(2) if which["zip"] == "mean" else category_kind(ZIPS)
    kinds = {"age": number_kind(2), "day": DATE, "zip": zips, "town": category_kind(TOWNS)}
    classes = naive_classes(drawn, which, kinds)
    texts = {own: shown(classes, own, which, kinds) for _, own in classes if own >= 0}
    expected: Counter[Row] = Counter()
    for record, own in classes:
        if own >= 0:
            expected[*texts[own], record["illness"]] += 1
        elif rows == "star":
            expected[*["*"] * len(NAMES), None] += 1

    folder = tmp_path_factory.mktemp("release")
    out, private = folder / f"out.{suffix}", folder / "private.json"
    release = drawn.study.release(
        drawn.recoding, out, private_certificate=private, suppressed_rows=rows, values=MICRO
    )
    names, found = read_rows(out)
    assert names == [*NAMES, "illness"]
    assert found == expected
    assert release.statistics == which

    # What is promised is measured on the classes that a reader sees.
    sizes = Counter(own for _, own in classes if own >= 0)
    assert release.promised["k"] == min(sizes.values())
    assert release.promised["k"] >= drawn.study.evaluate(drawn.recoding).values["k"]
    kept = json.loads(private.read_text())
    recoding = Local.read(kept["chosen"]["local"])
    # Classes with equal labels are one, whatever their numbers.
    assert drawn.study.evaluate(recoding).classes == len(sizes)
    assert release.merged == drawn.study.evaluate(drawn.recoding).classes - len(sizes)
    assert release.promised == drawn.study.evaluate(recoding).values
    audit = drawn.study.audit(out, private_certificate=private)
    assert audit.whole_table is not None
    assert {"loss", "k", "row-loss-gini"} <= set(audit.whole_table)
    assert audit.whole_table == pytest.approx(
        {name: release.promised[name] for name in audit.whole_table}
    )
    assert_squared_errors(release.squared_errors, classes, texts)


def assert_squared_errors(
    found: Mapping[str, float],
    classes: Sequence[tuple[Record, int]],
    texts: Mapping[int, tuple[str, ...]],
) -> None:
    pairs = [
        (float(str(record["age"])), float(texts[own][0]))
        for record, own in classes
        if own >= 0 and record["age"] is not None
    ]
    ages = np.array([age for age, _ in pairs])
    total = float(((ages - ages.mean()) ** 2).sum()) if pairs else 0.0
    if total > 0:
        assert found["age"] == pytest.approx(sum((a - b) ** 2 for a, b in pairs) / total)
    else:
        assert "age" not in found


@settings(max_examples=examples(40))
@given(drawn=local_tables())
def test_classes_have_the_same_metrics_by_their_numbers(drawn: LocalTable) -> None:
    found = Anonymization.of_local(drawn.table, drawn.recoding)
    measures = every_measure(drawn.table)
    one, other = (evaluate(measures, each.model) for each in (found, found.by_class()))
    assert one.of() == other.of()
    assert one.lacking == other.lacking


def ages(
    groups: Mapping[int, Sequence[str]],
    *,
    output: str = "interval",
    engine: sf.DuckDBEngine | None = None,
) -> tuple[sf.Study, Local]:
    """Return a study of people by age, with the classes of ``groups``; -1 is suppressed.

    Those of a negative class are men, all others women.
    """
    rows = [
        {"age": age, "sex": "f" if own >= 0 else "m", "illness": illness}
        for own, values in groups.items()
        for age, illness in zip(values, ["flu", "gout", "angina"] * len(values), strict=False)
    ]
    study = sf.Study(
        source=pd.DataFrame(rows),
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=0, high=99, widths=(10,)), output=output),
            sf.quasi_identifying("sex", sf.Flat(values=("f", "m")), output="set"),
            sf.sensitive("illness"),
        ],
        suppression=sf.limited(10),
        space="local",
        engine=engine or sf.DuckDBEngine(),
    )
    table = study.count_table
    class_of = {age: own for own, values in groups.items() if own >= 0 for age in values}
    leaves = table.hierarchies[0].domain.leaves
    women = table.cell_codes[1] == 0
    classes = [
        class_of[leaves[code]] if woman else -1
        for code, woman in zip(table.cell_codes[0].tolist(), women.tolist(), strict=True)
    ]
    outputs = {q.name: q.output for q in table.quasi_identifiers}
    return study, Local.of(table, np.array(classes), outputs)


def test_classes_with_the_same_statistics_are_one(tmp_path: Path) -> None:
    study, recoding = ages({0: ["20", "40"], 1: ["29", "31"], 2: ["50", "60", "61"]})
    release = study.release(
        recoding, tmp_path / "out.csv", values=MICRO, private_certificate=tmp_path / "private.json"
    )
    written = pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert Counter(written["age"]) == {"30": 4, "57": 3}
    assert release.merged == 1
    assert (release.metrics["k"], study.evaluate(recoding).values["k"]) == (3, 2)
    assert release.certificate["release"]["classes"] == 2  # type: ignore[index]
    # Nobody can tell the narrow class from the wide one: its rows lose as much.
    assert release.promised["gl"] == pytest.approx((4 * 20 + 3 * 11) / 99)
    assert release.promised["gl"] > study.evaluate(recoding).values["gl"]


def test_classes_that_differ_in_another_column_stay_apart(tmp_path: Path) -> None:
    people = pd.DataFrame({"age": ["20", "40", "29", "31"], "height": ["160", "161", "180", "181"]})
    study = sf.Study(
        source=people,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=0, high=99)),
            sf.quasi_identifying("height", sf.Intervals(low=100, high=219)),
        ],
        space="local",
    )
    table = study.count_table
    tall = table.cell_codes[1] >= 80
    recoding = Local.of(
        table, tall.astype(np.int64), {q.name: q.output for q in table.quasi_identifiers}
    )
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    release = study.release(recoding, out, values=MICRO, private_certificate=private)
    assert release.merged == 0
    # One text, two labels: [20, 40] and [29, 31].
    assert release.certificate["recoding"] == {
        "age": {"labels": 1, "statistic": "mean", "digits": 2},
        "height": {"labels": 2, "statistic": "mean", "digits": 2},
    }
    assert sorted(out.read_text().split()) == ["30,160.5"] * 2 + ["30,180.5"] * 2 + ["age,height"]
    alone = study.audit(out)
    assert alone.metrics["k"] == 2
    assert "statistics" in alone.not_measured["loss"]
    known = study.audit(out, private_certificate=private)
    assert known.metrics["loss"] == pytest.approx(release.promised["loss"])
    assert known.metrics["loss"] == pytest.approx(2 * (20 + 2) / 99 + 4 * 1 / 119)
    certified = json.loads(private.read_text())["recoding"]["age"]
    assert certified["class_values"] == ["30", "30"]
    assert sorted(certified["label_sizes"]) == [3, 21]
    assert certified["squared_error"] == release.squared_errors["age"]
    # And it is enough without the source.
    away = replace(study, source=tmp_path / "gone.csv")
    assert away.audit(out, private_certificate=private).metrics == known.metrics


@pytest.mark.parametrize("output", ["interval", "set", "hierarchy"])
def test_suppressed_people_leave_no_trace(output: str, tmp_path: Path) -> None:
    documents = []
    kept = {0: ["20", "22", "29"], 1: ["40", "41", "47"]}
    for place, gone in (("with", ["21", "41", "98"]), ("without", [])):
        study, recoding = ages({**kept, -1: gone} if gone else kept, output=output)
        out = tmp_path / place / "out.csv"
        out.parent.mkdir()
        study.release(recoding, out, values=MICRO, codebook=out.parent / "codebook.json")
        public = json.loads((tmp_path / place / "out.csv.certificate.json").read_text())
        del public["release"]["sha256"]
        book = json.loads((out.parent / "codebook.json").read_text())
        del book["sha256"]
        documents.append((sorted(out.read_text().splitlines()), public, book))
    assert documents[0] == documents[1]


def test_a_codebook_says_what_statistics_are(tmp_path: Path) -> None:
    study, recoding = ages({0: ["20", "22", "29"], 1: ["40", "41", "47"]})
    study.release(recoding, tmp_path / "o.csv", values=MICRO, codebook=tmp_path / "book.json")
    age = Codebook.model_validate_json((tmp_path / "book.json").read_text()).columns["age"]
    assert (age.kind, age.statistic) == ("class", "mean")
    assert age.form == "the mean of the class, rounded to 2 digits after the point"
    # A mean that looks like a value of the domain is not read as that value.
    assert [(each.label, each.first, each.values) for each in age.labels] == [
        ("23.67", None, None),
        ("42.67", None, None),
    ]


def test_a_codebook_page_of_statistics(tmp_path: Path) -> None:
    study, recoding = ages({0: ["20", "22", "29"], 1: ["40", "41", "47"]})
    study.release(recoding, tmp_path / "o.csv", values=MICRO, codebook=tmp_path / "book.html")
    page = (tmp_path / "book.html").read_text()
    assert "2 different labels: the mean of the class, rounded to 2 digits" in page
    assert "A cell shows a statistic of its class" in page


class WrongCounts(sf.DuckDBEngine):
    """An engine that miscounts the ages of the kept rows."""

    def kept_values(
        self, source: Source, plan: RewritePlan, target: Target
    ) -> dict[str, dict[tuple[int, str | None], int]]:
        found = super().kept_values(source, plan, target)
        found["age"][max(found["age"])] += 7
        return found


def test_wrong_statistics_are_found_out(tmp_path: Path) -> None:
    groups = {0: ["20", "22", "29"], 1: ["40", "41", "47"]}
    study, recoding = ages(groups, engine=WrongCounts())
    with raises(sf.UnmetError, code="not-verified", column="age"):
        study.release(recoding, tmp_path / "out.csv", values=MICRO)
    assert list(tmp_path.iterdir()) == []


def test_swapped_rows_are_found_out(tmp_path: Path) -> None:
    class Meddling(sf.DuckDBEngine):
        def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
            super().rewrite(source, plan, target)
            text = target.path.read_text()
            target.path.write_text(text.replace("23.67", "42.67", 1))

    study, recoding = ages({0: ["20", "22", "29"], 1: ["40", "41", "47"]}, engine=Meddling())
    with raises(sf.UnmetError, code="not-verified"):
        study.release(recoding, tmp_path / "out.csv", values=MICRO)
    assert list(tmp_path.iterdir()) == []


def test_who_protects_what_is_found_by_class(tmp_path: Path) -> None:
    """Rules that name a recoded column are counted by class, though classes share texts."""
    rows = [
        {"age": age, "zip": code, "illness": illness}
        for age, code in (("20", "1"), ("40", "1"), ("29", "2"), ("31", "2"))
        for illness in ("flu", "gout", "angina")
    ]
    study = sf.Study(
        source=pd.DataFrame(rows),
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=0, high=99)),
            sf.quasi_identifying("zip", sf.Flat()),
            sf.sensitive("illness"),
        ],
        statements=[sf.ConfidentialStatement(protect="illness = flu", where="zip = 1")],
        space="local",
        objectives=["k", "loss", "sf"],
    )
    table = study.count_table
    recoding = Local.of(
        table, table.cell_codes[1], {q.name: q.output for q in table.quasi_identifiers}
    )
    release = study.release(recoding, tmp_path / "out.csv", values=MICRO)
    assert release.merged == 0
    assert {"sf", "secure", "k"} <= set(release.verified)


def test_mdav_has_the_squared_error_that_it_tells(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 300).astype(str),
            "height": rng.integers(150, 200, 300).astype(str),
        }
    )
    study = sf.Study(
        source=people,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=18, high=89), digits=9),
            sf.quasi_identifying("height", sf.Intervals(low=150, high=199), digits=9),
        ],
        objectives=["k", "normalized-loss"],
        space="local",
    )
    found = study.search(method="mdav", settings=MdavSettings(least_k=5, largest_k=5))
    (solution,) = found.front
    assert isinstance(solution.recoding, Local)
    release = study.release(solution, tmp_path / "out.csv", values=MICRO)
    assert release.merged == 0
    # Columns are standardized, so that each has the same share.
    share = sum(release.squared_errors.values()) / 2
    assert share == pytest.approx(relative_squared_error(study.problem, solution.recoding))
    assert f"SSE/SST {share:.2%}" in found.reason

    # And it is that of the file, from the rows themselves.
    of_cell = dict(
        zip(
            map(tuple, study.count_table.cell_codes.T.tolist()),
            solution.recoding.classes.tolist(),
            strict=True,
        )
    )
    rows = people.astype(float)
    own = [of_cell[int(a) - 18, int(h) - 150] for a, h in rows.itertuples(index=False)]
    means = rows.groupby(pd.Series(own)).transform("mean")
    written = pd.read_csv(tmp_path / "out.csv")
    assert np.allclose(
        sorted(written.to_numpy().tolist()), sorted(means.round(9).to_numpy().tolist())
    )
    naive = ((rows - means) ** 2).sum() / ((rows - rows.mean()) ** 2).sum()
    assert dict(naive) == pytest.approx(release.squared_errors)
