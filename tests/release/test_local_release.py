"""Releases of local recodings: rows, labels, what a reader sees, and what nobody may see."""

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
from tests.recoding.local_tables import TOWNS, LocalTable, local_tables
from tests.release.rewritten_rows import Row, read_rows

import sfumato as sf
from sfumato.classes.suppression import given_k, limited
from sfumato.errors import ReleaseError, SettingsError, SourceError, UnmetError
from sfumato.recoding.local import Local
from sfumato.release.codebook.codebook import Codebook

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("age", "day", "zip", "town")


def naive_rows(drawn: LocalTable, *, star: bool) -> Counter[Row]:
    """The rows that a release must have, from the labels' definitions and nothing of `sfumato`.

    Only the class of a cell comes from the recoding.
    """
    table, study = drawn.table, drawn.study
    cell_of = {tuple(codes): n for n, codes in enumerate(table.cell_codes.T.tolist())}
    records = drawn.frame.to_dict("records")
    members: dict[int, list[tuple[int, ...]]] = {}
    classes = []
    for record in records:
        leaves = tuple(leaf(drawn, q, record[name]) for q, name in enumerate(NAMES))
        found = int(drawn.recoding.classes[cell_of[leaves]])
        classes.append(found)
        members.setdefault(found, []).append(leaves)
    rows: Counter[Row] = Counter()
    for record, own in zip(records, classes, strict=True):
        illness = None if record["illness"] is None else str(record["illness"])
        if own >= 0:
            labels = [
                label(drawn, q, {leaves[q] for leaves in members[own]}) for q in range(len(NAMES))
            ]
            rows[*labels, illness] += 1
        elif star:
            rows[*["*"] * len(NAMES), None] += 1
    assert study.count_table is table
    return rows


def leaf(drawn: LocalTable, q: int, value: object) -> int:
    identifier = drawn.table.quasi_identifiers[q]
    hierarchy = identifier.hierarchy
    found = hierarchy.leaf_count - 1 if value is None else int(hierarchy.locate([str(value)])[0])
    level = hierarchy.levels[identifier.minimum_level]
    return next(place for place, block in enumerate(level) if block == level[found])


def label(drawn: LocalTable, q: int, leaves: set[int]) -> str:
    identifier = drawn.table.quasi_identifiers[q]
    hierarchy, least = identifier.hierarchy, identifier.minimum_level
    names: list[str] = [hierarchy.labels[least][block] for block in hierarchy.levels[least]]
    if identifier.output == "hierarchy":
        for level, codes in enumerate(hierarchy.levels):
            blocks = {codes[each] for each in leaves}
            if level >= least and len(blocks) == 1:
                name: str = hierarchy.labels[level][blocks.pop()]
                # "Ulm" is a town and a group of towns.
                return f"{name} (level {level})" if name == "Ulm" and ambiguous(drawn, q) else name
    if identifier.output == "set":
        listed = [names[each] for each in sorted(leaves)]
        if len(listed) == 1 and not listed[0].startswith("{"):
            return listed[0]
        return "{" + ", ".join(map(quoted, listed)) + "}"
    known = sorted(leaves - {identifier.missing_leaf})
    if not known:
        return names[-1]
    domain = hierarchy.domain.leaves
    first, last = known[0], known[-1]
    if first == last:
        text = names[first]
    elif NAMES[q] == "age" and least:
        # The names of blocks are like "[20, 25)".
        text = f"{names[first].split(', ')[0]}, {names[last].split(', ')[1]}"
    elif NAMES[q] == "age":
        text = f"[{domain[first]}, {domain[last]}]"
    elif NAMES[q] == "day" or least:
        text = f"{names[first]} to {names[last]}"
    else:
        text = f"[{domain[first]}, {domain[last]}]"
    return text if len(known) == len(leaves) else f"{text} or ?"


def ambiguous(drawn: LocalTable, q: int) -> bool:
    """Whether a kept row is from Ulm itself, so that the name of the group is not enough."""
    identifier = drawn.table.quasi_identifiers[q]
    kept = drawn.table.cell_codes[q][drawn.recoding.classes >= 0].tolist()
    return not identifier.minimum_level and TOWNS.index("Ulm") in kept


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"' if any(c in value for c in ',{}"') else value


@settings(max_examples=examples(40))
@given(
    drawn=local_tables(),
    rows=st.sampled_from(("drop", "star")),
    suffix=st.sampled_from(("csv", "parquet")),
)
def test_the_file_has_the_rows_of_the_recoding(
    drawn: LocalTable, rows: str, suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("release")
    out, private = folder / f"out.{suffix}", folder / "private.json"
    promised = drawn.study.evaluate(drawn.recoding)
    everywhere = ("*",) * len(NAMES)
    kept = {row[:-1] for row in naive_rows(drawn, star=False)}
    if rows == "star" and promised.suppressed and everywhere in kept:
        with pytest.raises(ReleaseError) as caught:
            drawn.study.release(drawn.recoding, out, suppressed_rows=rows)
        assert caught.value.code == "conflicting-settings"
        return
    release = drawn.study.release(
        drawn.recoding, out, private_certificate=private, suppressed_rows=rows
    )
    assert release.promised == promised.values
    names, found = read_rows(out)
    assert names == [*NAMES, "illness"]
    assert found == naive_rows(drawn, star=rows == "star")

    # Classes are what the reader sees: rows with equal labels.
    sizes: Counter[Row] = Counter()
    for row, count in found.items():
        sizes[row[:-1]] += count
    if rows == "star" and promised.suppressed:
        del sizes[everywhere]
    assert promised.classes == len(sizes)
    assert promised.values["k"] == min(sizes.values())

    audit = drawn.study.audit(out, private_certificate=private)
    assert audit.whole_table is not None
    assert audit.whole_table == pytest.approx(
        {name: promised.values[name] for name in audit.whole_table}
    )


def towns(
    groups: dict[str, int], *, output: str, alone: dict[str, int] | None = None
) -> tuple[sf.Study, pd.DataFrame]:
    """Return a study of people in towns, so many of each; those of ``alone`` come last."""
    rows = [
        {"town": town, "sex": sex, "illness": illness}
        for sex, counts in (("f", groups), ("m", alone or {}))
        for town, times in counts.items()
        for illness in ["flu", "gout", "angina", "flu", "gout"][:times]
    ]
    frame = pd.DataFrame(rows)
    study = sf.Study(
        source=frame,
        attributes=[
            sf.quasi_identifying("town", sf.Flat(), output=output),
            sf.quasi_identifying("sex", sf.Flat(), output="set"),
            sf.sensitive("illness"),
        ],
        suppression=sf.limited(len(rows)),
        space="local",
    )
    return study, frame


def assigned(study: sf.Study, classes: dict[tuple[str, str], int]) -> Local:
    """Return the recoding with these classes by town and sex; all others are suppressed."""
    table = study.count_table
    leaves = [h.domain.leaves for h in table.hierarchies]
    cells = [
        tuple(names[code] for names, code in zip(leaves, codes, strict=True))
        for codes in table.cell_codes.T.tolist()
    ]
    outputs = {q.name: q.output for q in table.quasi_identifiers}
    return Local.of(
        table,
        np.array([classes.get((cell[0], cell[1]), -1) for cell in cells], dtype=np.int64),
        outputs,
    )


def test_classes_with_equal_labels_are_one(tmp_path: Path) -> None:
    four, _ = towns({"Bonn": 2, "Köln": 2, "Trier": 3, "Ulm": 2}, output="hierarchy")
    crossed = assigned(
        four,
        {("Bonn", "f"): 0, ("Trier", "f"): 0, ("Köln", "f"): 1, ("Ulm", "f"): 1},
    )
    assert crossed.class_count == 2
    release = four.release(crossed, tmp_path / "four.csv")
    # The lowest node that covers both is the whole domain, twice.
    assert set(pd.read_csv(tmp_path / "four.csv")["town"]) == {"*"}
    assert release.metrics["k"] == 9
    assert release.certificate["release"]["classes"] == 1  # type: ignore[index]


def test_a_given_k_is_kept(tmp_path: Path) -> None:
    study, _ = towns({"Bonn": 2, "Ulm": 2, "Trier": 3}, output="set")
    recoding = assigned(study, {("Bonn", "f"): 0, ("Ulm", "f"): 0, ("Trier", "f"): 1})
    with raises(UnmetError, code="criteria-not-met", expected="k>=4"):
        replace(study, suppression=given_k(4)).release(recoding, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())
    released = replace(study, suppression=given_k(3)).release(recoding, tmp_path / "out.csv")
    assert released.metrics["k"] == 3


def test_more_suppressed_than_the_limit_is_refused(tmp_path: Path) -> None:
    study, _ = towns({"Bonn": 2, "Ulm": 2}, output="set")
    recoding = assigned(study, {("Bonn", "f"): 0})
    with raises(UnmetError, code="criteria-not-met", expected="the suppression limit"):
        replace(study, suppression=limited(1)).release(recoding, tmp_path / "out.csv")


def test_a_table_with_other_values_is_another_table(tmp_path: Path) -> None:
    study, _ = towns({"Bonn": 2, "Ulm": 2}, output="set")
    other, _ = towns({"Bern": 2, "Visp": 2}, output="set")
    recoding = assigned(study, {("Bonn", "f"): 0, ("Ulm", "f"): 0})
    with raises(SettingsError, code="other-table"):
        other.release(recoding, tmp_path / "out.csv")


@pytest.mark.parametrize("output", ["set", "hierarchy"])
def test_suppressed_people_leave_no_trace(output: str, tmp_path: Path) -> None:
    # With and without a man from Buxtehude: the files differ in nothing but what is private.
    documents = []
    classes = {("Bonn", "f"): 0, ("Ulm", "f"): 0, ("Trier", "f"): 1}
    for place, alone in (("with", {"Buxtehude": 1}), ("without", {})):
        study, _ = towns({"Bonn": 2, "Ulm": 2, "Trier": 3}, output=output, alone=alone)
        out = tmp_path / place / "out.csv"
        out.parent.mkdir()
        study.release(assigned(study, classes), out)
        public = json.loads((tmp_path / place / "out.csv.certificate.json").read_text())
        del public["release"]["sha256"]
        documents.append((sorted(out.read_text().splitlines()), public))
    (rows, public), (other_rows, other_public) = documents
    assert rows == other_rows
    assert "Buxtehude" not in json.dumps(public)
    assert public["recoding"] == other_public["recoding"]
    assert public["metrics"] == other_public["metrics"]


def test_numbers_and_missing_values_of_suppressed_people(tmp_path: Path) -> None:
    attributes = [
        sf.quasi_identifying("age", sf.Intervals(widths=(10,)), output="interval"),
        sf.quasi_identifying("sex", sf.Flat()),
        sf.sensitive("illness"),
    ]
    kept = [{"age": str(age), "sex": "f", "illness": "flu"} for age in range(20, 30)]
    gone: list[dict[str, str | None]] = [
        {"age": "97", "sex": "m", "illness": "gout"},
        {"age": None, "sex": "m", "illness": "gout"},
        {"age": "3", "sex": "m", "illness": "gout"},
    ]
    labels = []
    for rows in (kept, [*kept, *gone]):
        study = sf.Study(
            source=pd.DataFrame(rows),
            attributes=attributes,
            suppression=sf.limited(3),
            space="local",
        )
        table = study.count_table
        men = table.cell_codes[1] == (1 if len(rows) > len(kept) else 9)
        ages = table.cell_codes[0] - table.cell_codes[0][~men].min()
        recoding = Local.of(
            table,
            np.where(men, -1, ages // 5),
            {q.name: q.output for q in table.quasi_identifiers},
        )
        out = tmp_path / f"{len(rows)}.csv"
        study.release(recoding, out)
        labels.append(set(pd.read_csv(out)["age"]))
    assert labels[0] == labels[1] == {"[20, 24]", "[25, 29]"}


@pytest.mark.parametrize(
    ("unit", "level", "text"),
    [("1", 0, "[25, 34]"), ("1", 1, "[20, 40)"), ("0.5", 0, "[25, 34.5)"), ("0.5", 1, "[20, 40)")],
)
def test_the_ends_of_a_domain_that_is_not_declared(
    unit: str, level: int, text: str, tmp_path: Path
) -> None:
    """The least and the greatest value that occur may be those of suppressed people."""
    kept = [{"age": age, "sex": "f"} for age in ("25", "28", "31", "34")]
    gone = [{"age": age, "sex": "m"} for age in ("22", "37")]
    for name, rows in (("without", kept), ("with", [*kept, *gone])):
        study = sf.Study(
            source=pd.DataFrame(rows),
            attributes=[
                sf.quasi_identifying(
                    "age", sf.Intervals(widths=(10,), unit=unit), minimum_level=level
                ),
                sf.quasi_identifying("sex", sf.Flat(values=("f", "m"))),
            ],
            suppression=sf.limited(2),
            space="local",
        )
        table = study.count_table
        recoding = Local.of(
            table,
            -table.cell_codes[1],  # Men are suppressed.
            {q.name: q.output for q in table.quasi_identifiers},
        )
        out = tmp_path / f"{name}.csv"
        release = study.release(recoding, out)
        assert set(pd.read_csv(out)["age"]) == {text}
        # The label can be read, and covers what it did when it was made.
        assert study.audit(out).metrics["gl"] == pytest.approx(release.promised["gl"])


def test_tampering_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.engines.duckdb.engine import DuckDBEngine

    study, _ = towns({"Bonn": 2, "Köln": 2, "Trier": 3, "Ulm": 3}, output="set")
    recoding = assigned(
        study, {("Bonn", "f"): 0, ("Köln", "f"): 0, ("Trier", "f"): 1, ("Ulm", "f"): 1}
    )
    written = DuckDBEngine.rewrite

    def tampered(self: DuckDBEngine, source: object, plan: object, target: object) -> None:
        written(self, source, plan, target)  # type: ignore[arg-type]
        text = target.path.read_text()  # type: ignore[attr-defined]
        target.path.write_text(text.replace('"{Bonn, Köln}"', '"{Trier, Ulm}"', 1))  # type: ignore[attr-defined]

    monkeypatch.setattr(DuckDBEngine, "rewrite", tampered)
    with pytest.raises(UnmetError) as caught:
        study.release(recoding, tmp_path / "out.csv")
    assert caught.value.code == "not-verified"
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    study.release(recoding, out, private_certificate=private)
    out.write_text(out.read_text().replace("{Bonn, Köln}", "{Trier, Ulm}", 1))
    with pytest.raises(SourceError) as refused:
        study.audit(out, private_certificate=private)
    assert refused.value.code == "other-file"


def test_an_audit_reads_the_labels_itself(tmp_path: Path) -> None:
    study, _ = towns({"Bonn": 2, "Köln": 2, "Trier": 3, "Ulm": 3}, output="set")
    recoding = assigned(
        study, {("Bonn", "f"): 0, ("Köln", "f"): 0, ("Trier", "f"): 1, ("Ulm", "f"): 1}
    )
    release = study.release(recoding, tmp_path / "out.csv")
    audit = study.audit(tmp_path / "out.csv")
    assert audit.metrics["gl"] == release.promised["gl"]
    assert audit.metrics == pytest.approx({name: release.promised[name] for name in audit.metrics})


def test_certificates_say_that_the_recoding_is_local(tmp_path: Path) -> None:
    study, _ = towns({"Bonn": 2, "Köln": 2, "Trier": 3, "Ulm": 3}, output="set")
    classes = {("Bonn", "f"): 0, ("Köln", "f"): 0, ("Trier", "f"): 1}
    recoding = assigned(study, classes)
    private = tmp_path / "private.json"
    release = study.release(recoding, tmp_path / "out.csv", private_certificate=private)
    assert release.certificate["local"] == "labels differ from class to class"
    assert release.certificate["recoding"] == {
        "town": {"output": "set", "labels": 2, "examples": ["Trier", "{Bonn, Köln}"]},
        "sex": {"output": "set", "labels": 1, "examples": ["f"]},
    }
    kept = json.loads(private.read_text())
    assert Local.read(kept["chosen"]["local"]) == recoding
    assert kept["recoding"]["town"]["block_labels"] == ["{Bonn, Köln}", "Trier"]
    assert kept["recoding"]["town"]["label_sizes"] == [2, 1]
    # The private certificate tells enough without the source.
    away = replace(
        study,
        attributes=[
            sf.quasi_identifying("town", sf.Flat(values=("Bonn", "Köln", "Trier", "Ulm"))),
            sf.quasi_identifying("sex", sf.Flat(values=("f",))),
            sf.sensitive("illness"),
        ],
        source=tmp_path / "gone.csv",
    )
    audit = away.audit(tmp_path / "out.csv", private_certificate=private)
    assert audit.whole_table is not None
    assert audit.whole_table["loss"] == pytest.approx(release.promised["loss"])


def test_a_codebook_says_what_labels_cover(tmp_path: Path) -> None:
    study, _ = towns({"Bonn": 2, "Ulm": 2, "Trier": 3}, output="set", alone={"Buxtehude": 1})
    recoding = assigned(study, {("Bonn", "f"): 0, ("Ulm", "f"): 0, ("Trier", "f"): 1})
    book = tmp_path / "codebook.json"
    study.release(recoding, tmp_path / "out.csv", codebook=book)
    content = Codebook.model_validate_json(book.read_text())
    assert content.file == "out.csv"
    labels = content.columns["town"].labels
    assert [(each.label, each.values) for each in labels] == [
        ("Trier", None),
        ("{Bonn, Ulm}", ("Bonn", "Ulm")),
    ]
    assert "Buxtehude" not in book.read_text()
    with pytest.raises(ReleaseError):
        study.release(recoding, tmp_path / "again.csv", codebook=book)


@settings(max_examples=examples(40))
@given(drawn=local_tables())
def test_codebooks_have_the_labels_of_the_file(
    drawn: LocalTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("codebook")
    drawn.study.release(drawn.recoding, folder / "o.csv", codebook=folder / "codebook.json")
    book = Codebook.model_validate_json((folder / "codebook.json").read_text())
    _, rows = read_rows(folder / "o.csv")
    for q, name in enumerate(NAMES):
        assert {each.label for each in book.columns[name].labels} == {row[q] for row in rows}
