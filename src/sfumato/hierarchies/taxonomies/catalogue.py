"""All known taxonomies by name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.hierarchies.taxonomies.coded_values import CODED
from sfumato.hierarchies.taxonomies.listed_names import listed_names

if TYPE_CHECKING:
    from sfumato.hierarchies.taxonomies.taxonomy import Taxonomy

_LISTED = {
    "countries": "country countries nation nationality nationalitat citizenship land pays pais "
    "paese staat staatsangehorigkeit nationalite nacionalidad geburtsland herkunftsland kraj",
    "us-states": "state states",
    "weekdays": "weekday wochentag jour dia giorno day dag",
    "months": "month monat mois mes mese maand miesiac manad maned mesic",
    "education": "education schooling degree bildung bildungsabschluss schulabschluss abschluss "
    "ausbildung diplome etudes instruction educacion estudios istruzione titolo escolaridade "
    "opleiding onderwijs isced",
    "sex": "sex gender geschlecht sexe sexo sesso genre genero genere geslacht plec kon pohlavi",
}


@cache
def taxonomies() -> dict[str, Taxonomy]:
    """Return all known taxonomies, those of names first.

    >>> list(taxonomies())
    ['countries', 'us-states', 'weekdays', 'months', 'education', 'sex', 'icd-10', 'atc', 'ops', \
'isco-08', 'nace-2', 'nuts', 'uk-postcodes', 'iban-countries']
    """
    listed = {name: listed_names(name, words=words) for name, words in _LISTED.items()}
    return listed | {taxonomy.name: taxonomy for taxonomy in CODED}


def taxonomy_named(name: str) -> Taxonomy:
    """Return the taxonomy of a name, or say which there are.

    >>> taxonomy_named("countries").lookup()("Deutschland").path
    ('Germany', 'Western Europe', 'Europe')
    """
    found = taxonomies()
    if name not in found:
        raise SettingsError.unknown_choice("taxonomy", name, tuple(found))
    return found[name]
