"""Identifiers of people by the names of columns and the shapes of values."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

import pytest

from sfumato.recognition import checksums
from sfumato.recognition.coarsenable import AGES, COARSENABLE, DATES, PLACES, coarsenable_seen
from sfumato.recognition.identifiers import IDENTIFIERS, identifier_named, identifier_seen

if TYPE_CHECKING:
    from sfumato.recognition.identifier_kind import IdentifierKind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("E-Mail", "email"),
        ("Téléphone", "phone"),
        ("teléfono móvil", "phone"),
        ("FaxNumber", "fax"),
        ("Sozialversicherungsnummer", "social-security"),
        ("codice_fiscale", "social-security"),
        ("MRN", "medical-record"),
        ("Versichertennummer", "health-plan"),
        ("IBAN", "account"),
        ("passport number", "licence"),
        ("Kennzeichen", "vehicle"),
        ("VIN", "vehicle"),
        ("serial_number", "device"),
        ("website", "url"),
        ("ip_address", "ip"),
        ("Fingerabdruck", "biometric"),
        ("Foto", "photograph"),
        ("Adresse", "address"),
        ("apellidos", "person-name"),
        ("Matrikelnummer", "login"),
        ("age", None),
        ("date_fin", None),
        ("nombre d'enfants", None),
        ("cell count", None),
        ("via", None),
        ("Iris", None),
    ],
)
def test_names_of_columns(name: str, kind: str | None) -> None:
    found = identifier_named(name)
    assert (None if found is None else found.name) == kind


def test_every_letter_of_the_safe_harbor_has_a_kind() -> None:
    """Dates (C) are quasi-identifiers, and so are geographic units other than addresses (B)."""
    letters = {kind.safe_harbor for kind in IDENTIFIERS}
    assert letters == set("ABDEFGHIJKLMNOPQR")
    assert {kind.safe_harbor for kind in COARSENABLE} == {"B", "C"}


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("visit", ["2024-03-01", "2024-05-17", "2023-11-30"], DATES),
        ("visit", ["2024-03-01 10:15:00", "2024-05-17 00:00:00", "2023-11-30 07:00:00"], DATES),
        ("visit", ["31.12.1999", "1.2.2003", "28.02.01"], DATES),
        ("visit", ["12/31/1999", "02/01/2003", "02/28/01"], DATES),
        ("visit", ["2024-03", "2024-05", "2023-11"], DATES),
        ("visit", ["2024-Q1", "2024-Q2", "2023-Q4"], DATES),
        ("visit", ["2024", "2023", "2022"], None),
        ("visit", ["2020s", "2010s", "1990s"], None),
        ("years", ["1990-99", "2000-09", "1980-89"], None),
        ("age", ["17", "89"], None),
        ("age", ["17", "89.5"], AGES),
        ("Alter", ["90", "91"], AGES),
        ("age", ["17", "90"], None),
        ("weight", ["90", "120"], None),
        ("age", ["80-89", "90-99"], None),
        ("ZIP code", ["10115", "80331"], PLACES),
        ("wohnort", ["Bonn"], PLACES),
        ("state", ["Ohio"], None),
    ],
)
def test_what_the_safe_harbor_asks_to_coarsen(
    name: str, values: list[str], kind: IdentifierKind | None
) -> None:
    assert coarsenable_seen(name, values) == kind


VALUES = {
    "email": ["a.b@example.org", "c+d@mail.example.com", "e@f.de"],
    "url": ["https://example.org/a?b", "www.example.com/x", "http://a.b"],
    "ip": ["2001:db8:0:0:0:0:0:1", "192.168.0.1", "10.0.0.255", "2001:db8::1"],
    "device": ["00:1B:44:11:3A:B7", "00-1b-44-11-3a-b8", "ff:ff:ff:ff:ff:00"],
    "uuid": [f"123e4567-e89b-12d3-a456-42661417400{n}" for n in range(3)],
    "account": [
        "DE89 3704 0044 0532 0130 00",
        "GB82WEST12345698765432",
        "FR1420041010050500013M02606",
    ],
    "social-security": ["123-45-6789", "001-23-4567", "899-99-9999"],
    "nino": ["QQ123456C".replace("QQ", "AB"), "AB 12 34 56 D", "CE123456A"],
    "nir": ["255081416802538", "2 55 08 14 168 025 38", "255081416802538"],
    "dni": ["12345678Z", "X1234567L", "12345678-Z"],
    "codice-fiscale": ["RSSMRA85T10A562S", "VRDLGI80A01H501X", "BNCMRC70B41F205Y"],
    "ahv": ["756.9217.0769.85", "7569217076985", "756.9217.0769.85"],
    "personnummer": ["811218-9876", "19811218-9876", "811218-9876"],
    "vehicle": ["1M8GDM9AXKP042788", "11111111111111111", "1m8gdm9axkp042788"],
    "address": ["Hauptstraße 5", "Am Alten Weg 12a", "Lindenallee 7, 20095 Hamburg"],
    "phone": ["+49 40 123456", "040 / 123 45 67", "(415) 555-2671"],
}


@pytest.mark.parametrize("name", VALUES)
def test_shapes_of_values(name: str) -> None:
    found = identifier_seen(VALUES[name])
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "values",
    [
        ["red", "green", "blue"],
        ["01.02.2020", "15.12.1999", "31.01.2001"],
        ["2020-01-01", "1999-12-31", "2000-06-30"],
        ["10:15:30", "23:59:59", "00:00:01"],
        ["3.14", "2.71", "1.41"],
        ["Spring 2020", "Fall 2021", "Spring 2022"],
        ["A12", "B07", "C33"],
        ["E11.9", "I21.0", "J45"],
        ["10-19", "20-29", "30-39"],
        ["1234 AB", "5678 CD", "9012 EF"],
        ["SW1A 1AA", "M1 1AE", "B33 8TH"],
    ],
)
def test_what_is_no_identifier(values: list[str]) -> None:
    assert identifier_seen(values) is None


def test_numbers_by_chance_are_not_taken_for_national_ones() -> None:
    """One in ten has the right check digit; nearly all of many must."""
    rng = random.Random(5)
    for length in (9, 10, 11, 16):
        drawn = ["".join(rng.choices(string.digits, k=length)) for _ in range(300)]
        found = identifier_seen(drawn)
        assert found is None or found.name == "phone", (length, found)


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (checksums.luhn, "4111111111111111"),
        (checksums.nhs, "9434765919"),
        (checksums.bsn, "111222333"),
        (checksums.pesel, "44051401359"),
        (checksums.cpf, "11144477735"),
        (checksums.nif, "123456789"),
        (checksums.steuer_id, "86095742719"),
        (checksums.ean_13, "7569217076985"),
    ],
)
def test_check_digits_find_every_single_wrong_last_digit(check: object, right: str) -> None:
    assert callable(check)
    assert [d for d in string.digits if check(right[:-1] + d)] == [right[-1]]
