"""The labels that a run keeps of a local recoding come from kept rows, at minimum levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.study.people import ATTRIBUTES, people

import sfumato as sf
from sfumato.microdata.output import Output
from sfumato.recoding.local import Local
from sfumato.study.runs.solution_details import column_labels

OUTPUTS = [Output.HIERARCHY, Output.INTERVAL, Output.SET]


def classes_by_sex(study: sf.Study, outputs: Output, *, without: str | None = None) -> Local:
    """Return classes by sex, with everybody of an age suppressed."""
    table = study.count_table
    age, _, sex = (table.cell_codes[place] for place in range(3))
    classes = sex.astype(np.int64)
    if without is not None:
        leaf = int(study.hierarchies["age"].locate([without])[0])
        classes = np.where(age == leaf, -1, classes)
    return Local.of(table, classes, dict.fromkeys(table.names, outputs))


@pytest.fixture(scope="module")
def study() -> sf.Study:
    return sf.Study(source=people(), attributes=ATTRIBUTES)


@pytest.mark.parametrize("output", OUTPUTS)
def test_counts_and_means_are_those_of_the_rows(study: sf.Study, output: Output) -> None:
    labels = column_labels(study.count_table, classes_by_sex(study, output))
    frame = people()
    assert labels["sex"].count == 2
    assert labels["sex"].covered == 1.0
    assert labels["sex"].examples == ()
    if output is Output.SET:
        by_sex = frame.groupby("sex")["age"]
        mean = (by_sex.nunique() * by_sex.size()).sum() / len(frame)
        assert labels["age"].covered == pytest.approx(mean)
    for each in labels.values():
        assert each.covered >= 1
        assert len(each.examples) <= each.count


@pytest.mark.parametrize("output", [Output.INTERVAL, Output.SET])
def test_suppressed_people_leave_no_trace(study: sf.Study, output: Output) -> None:
    oldest = max(people()["age"])
    whole = column_labels(study.count_table, classes_by_sex(study, output))
    kept = column_labels(study.count_table, classes_by_sex(study, output, without=oldest))
    assert any(oldest in text for text in whole["age"].examples)
    assert not any(oldest in text for text in kept["age"].examples)
    assert kept["age"].covered < whole["age"].covered


def test_labels_are_never_finer_than_the_minimum_level() -> None:
    attributes = [
        replace(each, minimum_level=1) if each.name == "age" else each for each in ATTRIBUTES
    ]
    study = sf.Study(source=people(), attributes=attributes)
    singles = set(study.hierarchies["age"].labels[0])
    table = study.count_table
    for output in OUTPUTS:
        recoding = Local.of(table, np.arange(table.cells), dict.fromkeys(table.names, output))
        labels = column_labels(table, recoding)["age"]
        assert labels.examples
        assert not singles & set(labels.examples)
        assert labels.covered >= 5


def test_global_recodings_have_no_labels_of_their_own(study: sf.Study) -> None:
    assert column_labels(study.count_table, sf.Levels.of({"age": 1, "zip": 0, "sex": 0})) == {}
