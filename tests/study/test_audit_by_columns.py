"""Audits without a study: the columns are named, and the rest is read off the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises
from tests.study.people import people

import sfumato as sf
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

ROWS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("uvw")), min_size=1
)


@given(ROWS)
def test_equal_rows_are_the_classes(rows: Sequence[tuple[str, str, str]]) -> None:
    table = pd.DataFrame(rows, columns=["one", "two", "kept"])
    found = sf.audit(table, quasi=["one", "two"], sensitive="kept")
    classes = table.groupby(["one", "two"])["kept"]
    assert found.classes == len(classes)
    assert found.metrics["k"] == classes.size().min()
    assert found.metrics["distinct-l"] == classes.nunique().min()
    assert list(found.levels) == ["one", "two"]


def test_it_agrees_with_the_audit_of_a_study() -> None:
    table = people()
    named = [*("age", "zip", "sex"), *("illness", "income")]
    roles = [sf.quasi_identifying(name, sf.Flat()) for name in named[:3]]
    study = sf.Study(
        source=table,
        attributes=[*roles, *(sf.sensitive(name) for name in named[3:])],
        unlisted_insensitive=True,
    )
    by_study = study.audit(table)
    alone = sf.audit(table, quasi=named[:3], sensitive=named[3:])
    assert alone.metrics == {name: by_study.metrics[name] for name in alone.metrics}
    assert "normalized-loss" in set(by_study.metrics) & set(alone.not_measured)
    # One reason for all that needs hierarchies, another for what needs the originals.
    assert len(set(alone.not_measured.values())) == 2


def test_without_sensitive_columns_there_is_k() -> None:
    found = sf.audit(people(), quasi="sex")
    assert "distinct-l" not in found.metrics
    assert found.metrics["k"] == people().groupby("sex").size().min()


def test_what_is_wrong() -> None:
    with raises(SettingsError, code="missing-setting", key="quasi"):
        sf.audit(people(), quasi=[])
    with raises(SettingsError, code="conflicting-settings", key="sensitive"):
        sf.audit(people(), quasi=["age", "sex"], sensitive=["sex"])
    with raises(SourceError, code="unknown-column", suggestion="age"):
        sf.audit(people(), quasi=["agee"])
