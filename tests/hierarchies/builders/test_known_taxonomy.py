from __future__ import annotations

import pytest
from tests.raised import raises

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders.known_taxonomy import KnownTaxonomy


def test_months_come_in_the_order_of_the_year() -> None:
    built = KnownTaxonomy(taxonomy="months", levels=("quarter",)).build(
        ["Dezember", "januar", "März"], column="month"
    )
    assert built.domain.leaves == ("januar", "März", "Dezember")
    assert built.labels[1:] == (("Q1", "Q4"), ("*",))


def test_unknown_values_are_an_error_or_a_group() -> None:
    with raises(
        HierarchyError,
        code="value-not-in-taxonomy",
        column="land",
        key="taxonomy",
        found="'Mordor'",
    ):
        KnownTaxonomy(taxonomy="countries").build(["France", "Mordor"], column="land")
    built = KnownTaxonomy(taxonomy="countries", levels=("region",), others="else").build(
        ["Mordor", "France"], column="land"
    )
    assert built.labels == (("France", "Mordor"), ("Europe", "else"), ("*",))


def test_what_a_value_becomes_does_not_depend_on_others() -> None:
    """So that nothing of a suppressed person shows in the labels of others."""
    builder = KnownTaxonomy(taxonomy="countries", others="else")
    both = builder.build(["France", "Peru", "?!"], column="c")
    alone = builder.build(["France"], column="c")
    leaf = both.locate(["France"])[0]
    assert [names[codes[leaf]] for names, codes in zip(both.labels, both.levels, strict=True)] == [
        names[0] for names in alone.labels
    ]


@pytest.mark.parametrize(
    ("settings", "code", "key"),
    [
        ({"taxonomy": "country"}, "unknown-choice", "taxonomy"),
        ({"taxonomy": "icd-10", "language": "de"}, "conflicting-settings", "language"),
        ({"taxonomy": "months", "language": "xx"}, "unknown-choice", "language"),
        ({"taxonomy": "months", "levels": ("year",)}, "unknown-choice", "levels"),
        ({"taxonomy": "months", "levels": ("quarter", "month")}, "wrong-order", "levels"),
        ({"taxonomy": "months", "levels": "quarter"}, "not-a-list", "levels"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, str], code: str, key: str) -> None:
    with raises(SettingsError, code=code, key=key):
        KnownTaxonomy(**settings)
