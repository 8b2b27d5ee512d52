"""The family of errors: fields, the sentence made of them, and where they happened."""

from __future__ import annotations

import json
import pickle

import pytest

from sfumato.errors import (
    HierarchyError,
    ReleaseError,
    SettingsError,
    SfumatoError,
    SourceError,
    UnmetError,
    Where,
    located,
)

FAMILY = (SourceError, HierarchyError, SettingsError, ReleaseError, UnmetError)


@pytest.mark.parametrize("kind", FAMILY)
def test_a_finished_sentence_is_an_error_with_the_code_of_its_kind(
    kind: type[SfumatoError],
) -> None:
    error = kind("nothing works")
    assert str(error) == "nothing works"
    assert error.code == kind.generic_code != SfumatoError.generic_code
    assert error.where == Where()


def test_a_setting_out_of_range_is_worded_from_its_fields() -> None:
    error = SettingsError(code="out-of-range", key="k", found="0", expected="at least 1")
    assert str(error) == "k is 0; it must be at least 1"


def test_choices_a_suggestion_and_a_remedy_have_their_places_in_the_sentence() -> None:
    error = SettingsError(
        code="unknown-choice",
        file="study.toml",
        table="[columns.age]",
        column="age",
        key="role",
        found="'sensible'",
        expected=("insensitive", "sensitive"),
        suggestion="sensitive",
        remedy="or leave it out",
    )
    assert str(error) == (
        "study.toml: [columns.age] role is 'sensible' (did you mean 'sensitive'?); it must be one "
        "of 'insensitive', 'sensitive'; or leave it out"
    )
    with_problem = SourceError("the file is empty", file="a.csv", expected=("a row",))
    assert str(with_problem) == "a.csv: the file is empty; expected 'a row'"
    assert str(SettingsError("it is odd", expected=())) == "it is odd"


@pytest.mark.parametrize("code", ["Out-Of-Range", "out_of_range", "out of range", "-range", "a--b"])
def test_a_code_is_in_kebab_case(code: str) -> None:
    with pytest.raises(ValueError, match="kebab-case"):
        SourceError("nothing works", code=code)


def test_an_error_needs_something_to_say() -> None:
    with pytest.raises(ValueError, match="needs a problem"):
        SettingsError(code="out-of-range", expected="at least 1")


@pytest.mark.parametrize("kind", FAMILY)
def test_errors_can_be_pickled(kind: type[SfumatoError]) -> None:
    error = kind(
        "there is no column 'Age'",
        code="unknown-column",
        file="people.csv",
        column="Age",
        line=3,
        found="'Age'",
        expected=("age", "zip"),
        suggestion="age",
        remedy="rename it",
    )
    error.located(file="study.toml")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert vars(again) == vars(error)
    assert str(again) == str(error)


def test_the_json_has_the_fields_that_are_known() -> None:
    error = SourceError(
        "there is no column 'Age'",
        code="unknown-column",
        file="people.csv",
        column="Age",
        expected=("age", "zip"),
        suggestion="age",
    )
    error.located(file="study.toml")
    assert json.loads(json.dumps(error.to_json())) == {
        "code": "unknown-column",
        "message": str(error),
        "where": {"file": "people.csv", "column": "Age", "via": {"file": "study.toml"}},
        "expected": ["age", "zip"],
        "suggestion": "age",
    }
    assert SettingsError("no").to_json() == {
        "code": "invalid-setting",
        "message": "no",
        "where": {},
    }


def test_a_caller_fills_in_the_place_once() -> None:
    with (
        pytest.raises(SettingsError) as caught,
        located(file="other", table="[other]", column="age"),
        located(file="study.toml", table="[columns.age]", key="hierarchy"),
    ):
        raise SettingsError(code="out-of-range", key="unit", found="0")
    inner = Where(file="study.toml", table="[columns.age]", key="unit")
    assert caught.value.where == Where(
        file=inner.file,
        table=inner.table,
        key=inner.key,
        via=Where(file="other", table="[other]", column="age"),
    )


def test_a_file_that_another_file_names_keeps_its_own_place() -> None:
    error = HierarchyError("a value comes twice", file="age.csv", line=3)
    error.located(table="[columns.age]", key="hierarchy")
    assert error.where == Where(file="age.csv", line=3, table="[columns.age]", key="hierarchy")
    error = HierarchyError("a value comes twice", file="age.csv", line=3)
    error.located(file="study.toml", table="[columns.age]", key="hierarchy")
    assert str(error) == (
        "study.toml: [columns.age] hierarchy: age.csv, line 3: a value comes twice"
    )
    assert error.where.file == "age.csv"
    assert error.where.via == Where(file="study.toml", table="[columns.age]", key="hierarchy")
    assert error.located(file="study.toml", column="age").where.via == Where(
        file="study.toml", table="[columns.age]", column="age", key="hierarchy"
    )


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        ("column 'age' is empty", "people.csv: column 'age' is empty"),
        ("not a number", "people.csv: column 'age': not a number"),
    ],
)
def test_a_place_is_named_once(problem: str, sentence: str) -> None:
    assert str(SourceError(problem, file="people.csv", column="age")) == sentence


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        ("a unit of 0", "study.toml: [columns.age]: a unit of 0"),
        ("units", "study.toml: [columns.age] unit: units"),
    ],
)
def test_a_key_is_named_once(problem: str, sentence: str) -> None:
    error = SettingsError(problem, file="study.toml", table="[columns.age]", key="unit")
    assert str(error) == sentence


def test_a_formula_is_shown_with_a_caret() -> None:
    error = SettingsError("the end", character=3, excerpt="a\n=", expected="a value")
    assert str(error) == "character 3: the end; expected a value\n    a =\n      ^"
    error.located(file="study.toml", table="[[statements]]", key="protect")
    assert str(error).startswith("study.toml: [[statements]] protect: character 3: the end; ")


def test_an_unknown_choice_has_a_suggestion() -> None:
    error = SettingsError.unknown_choice("role", "sensible", ("insensitive", "sensitive"))
    assert (error.code, error.where.key, error.found) == ("unknown-choice", "role", "'sensible'")
    assert error.expected == ("insensitive", "sensitive")
    assert error.suggestion == "sensitive"
    assert SettingsError.unknown_choice("role", 3, ("sensitive",)).suggestion is None
