"""Taxonomies that are read from the shape of codes: diagnoses, occupations, industries, regions."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from sfumato.hierarchies.taxonomies.listed_names import listed_names
from sfumato.hierarchies.taxonomies.taxonomy import Place, Taxonomy

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.hierarchies.taxonomies.taxonomy import Lookup

_ICD_CHAPTERS = (
    ("A00-B99", "certain infectious and parasitic diseases"),
    ("C00-D49", "neoplasms"),
    ("D50-D89", "diseases of the blood and certain disorders of the immune mechanism"),
    ("E00-E90", "endocrine, nutritional and metabolic diseases"),
    ("F00-F99", "mental and behavioural disorders"),
    ("G00-G99", "diseases of the nervous system"),
    ("H00-H59", "diseases of the eye and adnexa"),
    ("H60-H95", "diseases of the ear and mastoid process"),
    ("I00-I99", "diseases of the circulatory system"),
    ("J00-J99", "diseases of the respiratory system"),
    ("K00-K93", "diseases of the digestive system"),
    ("L00-L99", "diseases of the skin and subcutaneous tissue"),
    ("M00-M99", "diseases of the musculoskeletal system and connective tissue"),
    ("N00-N99", "diseases of the genitourinary system"),
    ("O00-O99", "pregnancy, childbirth and the puerperium"),
    ("P00-P96", "certain conditions originating in the perinatal period"),
    ("Q00-Q99", "congenital malformations, deformations and chromosomal abnormalities"),
    ("R00-R99", "symptoms, signs and abnormal findings, not elsewhere classified"),
    ("S00-T98", "injury, poisoning and certain other consequences of external causes"),
    ("U00-U99", "codes for special purposes"),
    ("V01-Y98", "external causes of morbidity and mortality"),
    ("Z00-Z99", "factors influencing health status and contact with health services"),
)
_ICD = re.compile(r"([A-Z][0-9][0-9AB])(?:\.?[0-9A-Z]{1,4}|\.-)?[-+*!†#]?", re.IGNORECASE)


def _icd_10(value: str) -> Place | None:
    match = _ICD.fullmatch(value.strip())
    if match is None:
        return None
    category = match[1].upper()
    chapter = bisect_right([codes[:3] for codes, _ in _ICD_CHAPTERS], category) - 1
    codes, title = _ICD_CHAPTERS[chapter]
    return Place(path=(category, f"{codes} {title}"), rank=(chapter, category, value))


_ATC_GROUPS = {
    "A": "alimentary tract and metabolism",
    "B": "blood and blood forming organs",
    "C": "cardiovascular system",
    "D": "dermatologicals",
    "G": "genito-urinary system and sex hormones",
    "H": "systemic hormonal preparations",
    "J": "antiinfectives for systemic use",
    "L": "antineoplastic and immunomodulating agents",
    "M": "musculo-skeletal system",
    "N": "nervous system",
    "P": "antiparasitic products",
    "R": "respiratory system",
    "S": "sensory organs",
    "V": "various",
}
_ATC = re.compile(r"([A-DGHJLMNPRSV])([0-9]{2})(?:([A-Z])(?:([A-Z])(?:[0-9]{2})?)?)?")


def _atc(value: str) -> Place | None:
    code = value.strip().upper()
    match = _ATC.fullmatch(code)
    if match is None:
        return None
    return Place(path=(code[:5], code[:3], f"{code[0]} {_ATC_GROUPS[code[0]]}"), rank=(code,))


_OPS_CHAPTERS = {
    "1": "diagnostic measures",
    "3": "imaging",
    "5": "operations",
    "6": "medicines",
    "8": "non-operative therapy",
    "9": "supplementary measures",
}
_OPS = re.compile(r"([135689])-([0-9]{2}[0-9a-z])(?:\.[0-9a-z]{1,3})?", re.IGNORECASE)


def _ops(value: str) -> Place | None:
    match = _OPS.fullmatch(value.strip())
    if match is None:
        return None
    chapter = f"{match[1]} {_OPS_CHAPTERS[match[1]]}"
    return Place(path=(f"{match[1]}-{match[2]}", chapter), rank=(value,))


_ISCO_GROUPS = (
    *("armed forces occupations", "managers", "professionals"),
    *("technicians and associate professionals", "clerical support workers"),
    *("service and sales workers", "skilled agricultural, forestry and fishery workers"),
    *("craft and related trades workers", "plant and machine operators, and assemblers"),
    "elementary occupations",
)
_ISCO = re.compile(r"(?:ISCO[- ]?(?:08)?[- ]?)?([0-9]{1,4})", re.IGNORECASE)


def _isco(value: str) -> Place | None:
    match = _ISCO.fullmatch(value.strip())
    if match is None:
        return None
    code = match[1]
    major = f"{code[0]} {_ISCO_GROUPS[int(code[0])]}"
    return Place(path=(f"{code[:3]:*<3}", f"{code[:2]:*<2}", major), rank=(code,))


_NACE_SECTIONS = (
    ("A", 1, "agriculture, forestry and fishing"),
    ("B", 5, "mining and quarrying"),
    ("C", 10, "manufacturing"),
    ("D", 35, "electricity, gas, steam and air conditioning supply"),
    ("E", 36, "water supply, sewerage, waste management"),
    ("F", 41, "construction"),
    ("G", 45, "wholesale and retail trade"),
    ("H", 49, "transportation and storage"),
    ("I", 55, "accommodation and food service activities"),
    ("J", 58, "information and communication"),
    ("K", 64, "financial and insurance activities"),
    ("L", 68, "real estate activities"),
    ("M", 69, "professional, scientific and technical activities"),
    ("N", 77, "administrative and support service activities"),
    ("O", 84, "public administration and defence"),
    ("P", 85, "education"),
    ("Q", 86, "human health and social work activities"),
    ("R", 90, "arts, entertainment and recreation"),
    ("S", 94, "other service activities"),
    ("T", 97, "activities of households as employers"),
    ("U", 99, "activities of extraterritorial organisations"),
)
_NACE = re.compile(r"(?:([A-U])\.?)?([0-9]{2})(?:\.?([0-9]{1,2})(?:[.-]?[0-9]{1,2})?)?")


def _nace(value: str) -> Place | None:
    match = _NACE.fullmatch(value.strip().upper())
    if match is None or not 1 <= int(match[2]) <= 99:
        return None
    section = bisect_right([first for _, first, _ in _NACE_SECTIONS], int(match[2])) - 1
    letter, _, title = _NACE_SECTIONS[section]
    if match[1] not in (None, letter):
        return None
    group = f"{match[2]}.{match[3][0]}" if match[3] else match[2]
    return Place(path=(group, match[2], f"{letter} {title}"), rank=(section, value))


_NUTS_COUNTRIES = frozenset(
    [
        "AT",
        "BE",
        "BG",
        "CY",
        "CZ",
        "DE",
        "DK",
        "EE",
        "EL",
        "ES",
        "FI",
        "FR",
        "HR",
        "HU",
        "IE",
        "IT",
        "LT",
        "LU",
        "LV",
        "MT",
        "NL",
        "PL",
        "PT",
        "RO",
        "SE",
        "SI",
        "SK",
        "UK",
        "IS",
        "LI",
        "NO",
        "CH",
        "ME",
        "MK",
        "AL",
        "RS",
        "TR",
    ]
)
_NUTS = re.compile(r"([A-Z]{2})([0-9A-Z]{1,3})")


def _nuts(value: str) -> Place | None:
    code = value.strip()
    match = _NUTS.fullmatch(code)
    if match is None or match[1] not in _NUTS_COUNTRIES or not any(map(str.isdigit, match[2])):
        return None
    return Place(path=(f"{code[:4]:*<4}", f"{code[:3]:*<3}", code[:2]), rank=(code,))


def _uk_postcode(value: str) -> Place | None:
    match = _UK_POSTCODE.fullmatch(value.strip().upper())
    if match is None:
        return None
    area, district, inward = match[1], match[2], match[3]
    outward = area + district
    sector = f"{outward} {inward[0]}**"
    return Place(path=(sector, outward, area), rank=(area, district, inward))


_UK_POSTCODE = re.compile(r"([A-Z]{1,2})([0-9][0-9A-Z]?) ?([0-9][ABD-HJLNP-UW-Z]{2})")


@cache
def _country_of() -> Lookup:
    return listed_names("countries", words="").lookup()


_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{8,30}")


def _iban(value: str) -> Place | None:
    code = re.sub(r"[\s-]", "", value).upper()
    country = _country_of()(code[:2]) if _IBAN.fullmatch(code) else None
    return None if country is None else Place(path=(country.path[0],), rank=country.rank)


def _coded(find: Callable[[str], Place | None]) -> Callable[[str | None], Lookup]:
    return lambda language: find  # noqa: ARG005 - codes are the same in all languages


CODED = (
    Taxonomy(
        name="icd-10",
        title="diagnoses of ICD-10",
        source="World Health Organization, ICD-10 (2019): categories and chapters; national "
        "modifications keep them.",
        levels=("category", "chapter"),
        lookups=_coded(_icd_10),
        words=frozenset(
            [
                "icd",
                "icd10",
                "diagnosis",
                "diagnose",
                "diag",
                "diagnostic",
                "diagnostico",
                "diagnosi",
            ]
        ),
        telling=lambda value: value[3:4] == ".",
        sensitive=True,
    ),
    Taxonomy(
        name="atc",
        title="medicines of ATC",
        source="World Health Organization, Anatomical Therapeutic Chemical classification.",
        levels=("chemical subgroup", "therapeutic subgroup", "anatomical group"),
        lookups=_coded(_atc),
        words=frozenset(["atc", "medication", "medicine", "drug", "medikament", "medicament"]),
        telling=lambda value: len(value) > 4,
        sensitive=True,
    ),
    Taxonomy(
        name="ops",
        title="procedures of OPS",
        source="Bundesinstitut für Arzneimittel und Medizinprodukte, OPS: categories and chapters.",
        levels=("category", "chapter"),
        lookups=_coded(_ops),
        words=frozenset(["ops", "prozedur", "procedure", "operation"]),
        telling=lambda value: "." in value,
        sensitive=True,
    ),
    Taxonomy(
        name="isco-08",
        title="occupations of ISCO-08",
        source="International Labour Organization, ISCO-08: minor, sub-major and major groups.",
        levels=("minor group", "sub-major group", "major group"),
        lookups=_coded(_isco),
        words=frozenset(["isco", "isco08", "occupation", "beruf", "profession", "berufscode"]),
        telling=lambda value: False,  # noqa: ARG005 - any number of four digits could be one
    ),
    Taxonomy(
        name="nace-2",
        title="industries of NACE Rev. 2",
        source="Regulation (EC) No 1893/2006, NACE Rev. 2: groups, divisions and sections.",
        levels=("group", "division", "section"),
        lookups=_coded(_nace),
        words=frozenset(
            [
                "nace",
                "wz",
                "branche",
                "industry",
                "naf",
                "ateco",
                "cnae",
                "sbi",
                "sector",
                "activity",
            ]
        ),
        telling=lambda value: "." in value and value[:1].isalpha(),
    ),
    Taxonomy(
        name="nuts",
        title="regions of NUTS",
        source="Regulation (EC) No 1059/2003, NUTS: a character for each level.",
        levels=("NUTS 2", "NUTS 1", "country"),
        lookups=_coded(_nuts),
        words=frozenset(["nuts", "nuts1", "nuts2", "nuts3"]),
        telling=lambda value: len(value) > 3,
    ),
    Taxonomy(
        name="uk-postcodes",
        title="postcodes of the United Kingdom",
        source="Royal Mail, Programmers' Guide: sectors, outward codes and areas.",
        levels=("sector", "outward code", "area"),
        lookups=_coded(_uk_postcode),
        words=frozenset(),
    ),
    Taxonomy(
        name="iban-countries",
        title="countries of bank accounts",
        source="ISO 13616 (IBAN): the first two letters are the country.",
        levels=("country",),
        lookups=_coded(_iban),
        words=frozenset(["iban"]),
    ),
)
"""The taxonomies of codes."""
