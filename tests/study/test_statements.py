"""Statements of a study: checked against the source, counted with it, read from a study file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.study.people import ATTRIBUTES, people
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.statements.counted_statements import StatementPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.engines.messages.grouped_counts import CoarserValues, GroupedCounts, PersonKey
    from sfumato.microdata.count_table import CountTable
    from sfumato.sources.source import Source

LEVELS = {"age": 1, "zip": 2, "sex": 0}


def study(statements: object, *, engine: sf.DuckDBEngine | None = None) -> sf.Study:
    return sf.Study(
        source=people(),
        attributes=ATTRIBUTES,
        statements=statements,  # type: ignore[arg-type]
        objectives=["secure", "loss"],
        engine=engine or sf.DuckDBEngine(),
    )


def notes(table: CountTable) -> tuple[str, ...]:
    assert table.statements is not None
    return table.statements.notes


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("ilness = flu", "'ilness', which is not a column of the study (did you mean 'illness'?)"),
        ("sex = F", "about column 'sex', which is quasi-identifying; expected"),
        ("name = x", "about column 'name', which is identifying; expected"),
        (
            sf.ConfidentialStatement(protect="illness = flu", where="smoke = yes"),
            "names column 'smoke', which is not a column of the study (did you mean 'smokes'?)",
        ),
        ("illness", "character 8: "),
    ],
)
def test_columns_are_checked_before_anything_is_read(statements: object, said: str) -> None:
    with pytest.raises(sf.SettingsError) as caught:
        study(statements)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("illness = goat", "'goat', which column 'illness' does not have (did you mean 'gout'?)"),
        ("income in {1, 4}", "the value '4', which column 'income' does not have; it has '1', "),
        (
            sf.ConfidentialStatement(protect="illness = flu", where="smokes = yess"),
            "'yess', which column 'smokes' does not have (did you mean 'yes'?)",
        ),
        (
            sf.ConfidentialStatement(protect="illness = flu", where="zip = 99999"),
            "the value '99999', which column 'zip' does not have",
        ),
        # A tautology, by its form or in this table.
        ("illness = flu or not illness = flu", "holds for everybody, so that no recoding can"),
        ("illness in {flu, cold, gout}", "holds for everybody, so that no recoding can"),
        ("illness != flu or income in {1, 2, 3}", "holds for everybody, so that"),
        # A contradiction.
        ("illness = flu and illness = cold", "can hold for nobody, whatever their values"),
        ("income = 1 and not income in {1, 2}", "can hold for nobody, whatever their values"),
        (
            [
                sf.ConfidentialStatement(protect="illness = flu", damage=0.5, where="smokes = yes"),
                sf.ConfidentialStatement(protect="illness = gout", damage=0.5, where="sex = F"),
            ],
            "where these statements meet, the damages of a person sum to 0.5",
        ),
    ],
)
def test_statements_are_checked_against_the_source(statements: object, said: str) -> None:
    with pytest.raises(sf.SettingsError) as caught:
        _ = study(statements).count_table
    assert said in str(caught.value)


def test_identifying_values_are_not_suggested() -> None:
    statement = sf.ConfidentialStatement(protect="illness = flu", where='name = "person 1O"')
    with raises(
        sf.SettingsError, code="unknown-value", column="name", found="'person 1O'"
    ) as caught:
        _ = study(statement).count_table
    assert str(caught.value).endswith("which column 'name' does not have")


def test_what_is_odd_but_no_error_is_noted() -> None:
    frame = people()
    frame.loc[frame["illness"] == "gout", "income"] = "1"
    # In the domain, and nobody has it.
    frame.loc[frame["age"] == "39", "age"] = "38"
    odd = sf.Study(
        source=frame,
        attributes=ATTRIBUTES,
        statements=[
            "illness = gout and income = 3",
            sf.ConfidentialStatement(protect="illness = flu", where="sex = F and sex = M"),
            sf.ConfidentialStatement(protect="illness = flu", where="age = 39"),
        ],
    )
    assert notes(odd.count_table) == (
        "nobody satisfies the statement 'illness = gout and income = 3'; it protects nothing so "
        "far",
        "the rule 'sex = F and sex = M' applies to nobody; 'illness = flu' protects nothing by it "
        "so far",
        "the rule 'age = 39' applies to nobody; 'illness = flu' protects nothing by it so far",
    )
    assert notes(study("illness = flu").count_table) == ()


@dataclass(frozen=True, kw_only=True)
class Watched(sf.DuckDBEngine):
    """DuckDB, and the texts of the columns that it let out."""

    texts: dict[str, set[str | None]] = field(default_factory=dict)

    def count(
        self,
        source: Source,
        columns: Sequence[str],
        *,
        coarser: CoarserValues | None = None,
        told_apart: Mapping[str, Sequence[str]] | None = None,
        person: PersonKey | None = None,
    ) -> GroupedCounts:
        grouped = super().count(
            source, columns, coarser=coarser, told_apart=told_apart, person=person
        )
        for name, column in grouped.columns.items():
            self.texts[name] = set(column.values)
        return grouped


def test_of_columns_that_rules_name_only_those_values_get_past_the_engine() -> None:
    engine = Watched()
    statement = sf.ConfidentialStatement(
        protect="illness = flu", where='name = "person 3" or name = other'
    )
    with raises(sf.SettingsError, code="unknown-value", column="name", found="'other'"):
        _ = study(statement, engine=engine).count_table
    assert engine.texts["name"] == {"person 3", "other'"}
    engine = Watched()
    statement = sf.ConfidentialStatement(
        protect="illness = flu", where='name = "person 3" or sex = F'
    )
    table = study(statement, engine=engine).count_table
    assert engine.texts["name"] == {"person 3", "other"}
    assert "name" not in table.columns
    assert sum(table.entry_counts) == 80


def test_rules_may_name_columns_of_any_role() -> None:
    frame = people()
    frame["ward"] = [None if row % 5 == 0 else "abc"[row % 3] for row in range(80)]
    where = 'ward = a or (smokes = yes and not name in {"person 1", "person 4"}) or age = 21'
    found = sf.Study(
        source=frame,
        attributes=ATTRIBUTES,
        unlisted_insensitive=True,
        statements=[sf.ConfidentialStatement(protect="illness = flu", where=where)],
        objectives=["secure", "sf"],
    )
    protects = (
        (frame["ward"] == "a")
        | ((frame["smokes"] == "yes") & ~frame["name"].isin(["person 1", "person 4"]))
        | (frame["age"] == "21")
    )
    table = found.count_table
    assert table.statements is not None
    rows = table.marginal(StatementPatterns())
    assert rows[table.statements.protected[:, 0]].sum() == protects.sum()
    assert table.statements.satisfied_rows.tolist() == [(frame["illness"] == "flu").sum()]
    # The class of a row by its labels, in pandas.
    labels = frame.assign(
        age=frame["age"].astype(int).floordiv(5), zip=frame["zip"].str[:3], protects=protects
    )
    classes = labels.groupby(["age", "zip", "sex"])
    tells = classes["illness"].transform(lambda values: (values == "flu").all())
    assert found.evaluate(LEVELS).values["secure"] == float(not (tells & protects).any())


STATEMENTS = """
[[statements]]
protect = 'illness = "gout"'
damage = 0.75

[[statements]]
protect = 'income = 3 and not illness = flu'
where = 'smokes = "yes" or smokes = no'
damage = 0.25
"""


def test_a_study_file_says_what_is_statement(tmp_path: Path) -> None:
    read = sf.read_study_file(write_people(tmp_path, PEOPLE + STATEMENTS)).study
    assert read.statements == sf.ConfidentialStatements.of(
        [
            sf.ConfidentialStatement(protect="illness = gout", damage=0.75),
            sf.ConfidentialStatement(
                protect="income = 3 and not illness = flu",
                where="smokes = yes or smokes = no",
                damage=0.25,
            ),
        ]
    )
    assert sf.read_study_file(write_people(tmp_path, PEOPLE)).study.statements is None


@pytest.mark.parametrize(
    ("text", "code", "table", "key"),
    [
        ("[statements]\nprotect = 'illness = flu'", "wrong-type", "[statements]", None),
        ("[[statements]]\nwhere = 'sex = F'", "missing-setting", "[[statements]]", "protect"),
        (
            "[[statements]]\nprotekt = 'illness = flu'",
            *("unknown-key", "[[statements]]", "protekt"),
        ),
        ("[[statements]]\nprotect = 3", "wrong-type", "[[statements]]", "protect"),
        (
            "[[statements]]\nprotect = 'illness = flu'\n[[statements]]\nprotect = 'illness == flu'",
            *("not-a-predicate", "[[statements]] number 2", "protect"),
        ),
        (
            "[[statements]]\nprotect = 'illness = flu'\nwhere = 'sex F'",
            *("not-a-predicate", "[[statements]]", "where"),
        ),
        (
            "[[statements]]\nprotect = 'illness = flu'\ndamage = 'all'",
            *("wrong-type", "[[statements]]", "damage"),
        ),
        (
            "[[statements]]\nprotect = 'illness = flu'\ndamage = 2",
            *("out-of-range", "[[statements]]", "damage"),
        ),
        (
            "[[statements]]\nprotect = 'ilness = flu'",
            *("unknown-column", "[[statements]]", "protect"),
        ),
        (
            "[[statements]]\nprotect = 'illness = flu'\ndamage = 0.5",
            *("wrong-sum", "[[statements]]", None),
        ),
        ("[search]\nprotect = 'x'", "unknown-key", "[search]", "protect"),
        ("[statement]\nx = 1", "unknown-table", "[statement]", None),
    ],
)
def test_slips_are_named_with_their_place(
    text: str, code: str, table: str, key: str | None, tmp_path: Path
) -> None:
    path = write_people(tmp_path, f"{PEOPLE}\n{text}\n")
    with raises(sf.SettingsError, code=code, file=path, table=table, key=key):
        sf.read_study_file(path)


def test_unlisted_columns_are_looked_for_in_the_source(tmp_path: Path) -> None:
    statement = "\n[[statements]]\nprotect = 'illness = flu'\nwhere = 'smoke = yes'\n"
    text = PEOPLE.replace('path = "people.csv"', 'path = "people.csv"\nunlisted = "insensitive"')
    read = sf.read_study_file(write_people(tmp_path, text + statement)).study
    with raises(
        sf.SettingsError,
        code="unknown-column",
        column="smoke",
        key="where",
        found="'smoke = yes'",
        suggestion="smokes",
    ):
        _ = read.count_table


@pytest.mark.parametrize("name", ["illness", "main illness", "patient's illness", 'an "illness"'])
def test_init_leaves_an_example_that_only_lacks_a_value(name: str, tmp_path: Path) -> None:
    frame = people().rename(columns={"illness": name})
    frame[name] = frame[name].map({"flu": "some value"}).fillna("another")
    frame.to_csv(tmp_path / "people.csv", index=False)
    assert main(["init", str(tmp_path / "people.csv"), "--quiet"]) == 0
    study_file = tmp_path / "study.toml"
    text = study_file.read_text(encoding="utf-8")
    assert "# [[statements]]" in text
    study_file.write_text(
        text.replace("# [[statements]]", "[[statements]]").replace("# protect", "protect"),
        encoding="utf-8",
    )
    statements = sf.ConfidentialStatements.of(sf.read_study_file(study_file).study.statements or ())
    assert [(s.columns, s.values_of(s.columns[0])) for s in statements.predicates] == [
        ((name,), ("some value",))
    ]
