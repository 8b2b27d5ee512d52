"""The facts of known taxonomies, against numbers that their sources state."""

from __future__ import annotations

from collections import Counter

import pytest

from sfumato.hierarchies.taxonomies.catalogue import taxonomies, taxonomy_named
from sfumato.hierarchies.taxonomies.listed_names import _facts
from sfumato.hierarchies.taxonomies.plain_text import plain_text

LISTED = ("countries", "us-states", "weekdays", "months", "education", "sex")


@pytest.mark.parametrize("name", LISTED)
def test_no_name_means_two_things_in_one_language(name: str) -> None:
    facts = _facts(name)
    for language in facts.languages:
        meanings: dict[str, set[str]] = {}
        for row in facts.rows:
            for text in facts.names(row, language):
                if plain_text(text):
                    meanings.setdefault(plain_text(text), set()).add(row[len(facts.levels) - 1])
        twice = {text: rows for text, rows in meanings.items() if len(rows) > 1}
        assert not twice, (language, twice)


@pytest.mark.parametrize("name", LISTED)
def test_every_row_is_found_by_its_names(name: str) -> None:
    taxonomy, facts = taxonomy_named(name), _facts(name)
    assert taxonomy.source
    for language in facts.languages:
        find = taxonomy.lookup(language)
        for row in facts.rows:
            place = find(row[len(facts.levels) - 1])
            assert place is not None
            assert place.path == tuple(reversed(row[: len(facts.levels)]))


def test_countries_are_those_of_m49() -> None:
    """The numbers of countries and areas in the sub-regions of M49; Taiwan and Kosovo are added."""
    of = Counter(row[1] for row in _facts("countries").rows)
    assert of["Northern Africa"] == 7
    assert of["Eastern Africa"] + of["Middle Africa"] + of["Southern Africa"] + of[
        "Western Africa"
    ] == (22 + 9 + 5 + 17)
    assert of["Caribbean"] + of["Central America"] + of["South America"] == 28 + 8 + 16
    assert (of["Northern America"], of["Central Asia"]) == (5, 5)
    assert (of["Eastern Asia"], of["South-eastern Asia"]) == (7 + 1, 11)
    assert (of["Southern Asia"], of["Western Asia"]) == (9, 18)
    assert (of["Eastern Europe"], of["Northern Europe"]) == (10, 16)
    assert (of["Southern Europe"], of["Western Europe"]) == (16 + 1, 9)
    assert of["Polynesia"] + of["Micronesia"] + of["Melanesia"] == 10 + 8 + 5


def test_states_are_those_of_the_census_bureau() -> None:
    of = Counter(row[0] for row in _facts("us-states").rows)
    assert of == {"Northeast": 9, "Midwest": 12, "South": 17, "West": 13}


@pytest.mark.parametrize(
    ("taxonomy", "value", "path"),
    [
        ("countries", "DEUTSCHLAND", ("Germany", "Western Europe", "Europe")),
        ("countries", "cote d'ivoire", ("Côte d’Ivoire", "Western Africa", "Africa")),
        ("months", "März", ("March", "Q1", "first half")),
        ("weekdays", "samedi", ("Saturday", "weekend")),
        ("icd-10", "E11.90", ("E11", "E00-E90 endocrine, nutritional and metabolic diseases")),
        ("icd-10", "D48", ("D48", "C00-D49 neoplasms")),
        ("icd-10", "h60", ("H60", "H60-H95 diseases of the ear and mastoid process")),
        ("atc", "N02BE01", ("N02BE", "N02", "N nervous system")),
        ("isco-08", "2512", ("251", "25", "2 professionals")),
        ("nace-2", "62.01", ("62.0", "62", "J information and communication")),
        ("nace-2", "C10.71", ("10.7", "10", "C manufacturing")),
        ("nuts", "DE212", ("DE21", "DE2", "DE")),
        ("uk-postcodes", "SW1A 1AA", ("SW1A 1**", "SW1A", "SW")),
        ("iban-countries", "DE89 3704 0044 0532 0130 00", ("Germany",)),
    ],
)
def test_places(taxonomy: str, value: str, path: tuple[str, ...]) -> None:
    place = taxonomy_named(taxonomy).lookup()(value)
    assert place is not None
    assert place.path == path


@pytest.mark.parametrize(
    ("taxonomy", "value"),
    [
        ("icd-10", "12.3"),
        ("icd-10", "flu"),
        ("nace-2", "A62.01"),
        ("nuts", "XX12"),
        ("countries", "Atlantis"),
        ("uk-postcodes", "12345"),
        ("sex", "M1"),
    ],
)
def test_what_is_not_known(taxonomy: str, value: str) -> None:
    assert taxonomy_named(taxonomy).lookup()(value) is None


def test_a_language_decides_what_is_ambiguous() -> None:
    sex = taxonomy_named("sex")
    assert sex.lookup()("M") is None
    spanish, english = sex.lookup("es")("M"), sex.lookup("en")("M")
    assert spanish is not None
    assert english is not None
    assert (spanish.path, english.path) == (("female",), ("male",))
    assert sex.best_language(["H", "M"]) == "es"
    assert sex.best_language(["Male", "Female"]) is None


def test_levels_and_paths_have_the_same_length() -> None:
    examples = {"icd-10": "E11", "atc": "N02", "ops": "5-470", "isco-08": "1", "nace-2": "01"}
    for name, value in examples.items():
        place = taxonomies()[name].lookup()(value)
        assert place is not None
        assert len(place.path) == len(taxonomies()[name].levels)
