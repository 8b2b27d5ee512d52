"""What the name of a column tells about it."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


PERSON = _words(
    # who someone is
    "surname lastname firstname forename fullname middlename maidenname nickname initials",
    "vorname nachname familienname zuname geburtsname rufname",
    "nom prenom nombre apellido apellidos cognome sobrenome naam voornaam achternaam",
    # how to reach someone
    "email mail phone telephone tel mobile fax address street housenumber",
    "telefon telefonnummer handy handynummer adresse anschrift strasse hausnummer",
    "courriel telefono correo direccion indirizzo endereco calle adres straat",
    # numbers that someone goes by
    "ssn nhs mrn passport iban dni nif cpf bsn nino ahv uuid guid username login",
    "versichertennummer patientennummer personalnummer fallnummer kundennummer ausweisnummer",
    "socialsecurity numeroseguro codicefiscale licenceplate licenseplate kennzeichen",
)
"""Words of names, addresses and personal numbers."""

PERSON_BEFORE_NAME = _words(
    "first last full family given maiden middle patient person customer client employee user",
    "student pupil mother father spouse doctor physician contact owner birth",
)
"""Words that make the word ``name`` that of a person."""

IDENTIFIER = _words(
    "id ids identifier identifiant kennung key name token hash pid uid ident unnamed",
)
"""Words of columns that tell rows or people apart if they have many values."""

NUMBERING = _words("number no nr num nummer numero record index row code account file case")
"""Words of columns that tell rows or people apart if nearly every row has its own value."""

POSTCODE = _words(
    "zip zipcode postcode postal postalcode plz postleitzahl pincode cap postnummer",
)

TIME = _words(
    "age alter edad eta leeftijd year jahr annee ano anno jaar birth born dob yob geburt",
    "geburtsjahr geburtsdatum date datum fecha",
)
"""Words of ages and dates, which others may know whatever they are the age or the date of."""

KNOWN_TO_OTHERS = (
    TIME
    | POSTCODE
    | _words(
        "sex gender geschlecht sexe sexo sesso city town village county region district state",
        "country nation nationality citizenship ort stadt kreis land bundesland ville pays ciudad",
        "race ethnicity ethnic origin marital civil familienstand education school degree bildung",
        "occupation job profession beruf work workclass employer height groesse grosse gewicht",
        "weight admission discharge aufnahme entlassung household children kinder language sprache",
    )
)
"""Words of what neighbours, employers and public registers usually know."""

SENSITIVE = _words(
    "diagnosis diagnoses diagnose diag disease illness icd symptom symptoms condition finding",
    "treatment therapy medication medicine drug drugs procedure surgery hiv aids cancer pregnancy",
    "disability mental krankheit erkrankung befund therapie medikament maladie traitement",
    "enfermedad diagnostico malattia diagnosi ziekte",
    "sick sickness sickdays sickleave krank krankheiten krankheitstage krankentage krankheitsdauer",
    "krankenstand krankmeldung krankmeldungen krankgeschrieben fehltage arbeitsunfahigkeit",
    "income salary wage wages earnings pay cost costs charge charges debt credit loan balance",
    "wealth einkommen gehalt lohn kosten schulden revenu salaire cout ingresos salario coste",
    "costo reddito stipendio inkomen",
    "religion confession konfession faith belief political party vote union sexual orientation",
    "offence offense crime conviction sentence arrest straftat vorstrafe delit",
    "grade grades score result iq test rating note noten outcome",
)
"""Words of what people keep to themselves."""

MEASUREMENT = _words(
    "fnlwgt glucose hba cholesterol creatinine hemoglobin haemoglobin pressure systolic",
    "diastolic pulse temperature temperatur dose dosage",
    "saturation leukocytes platelets blutdruck puls",
)
"""Words of measurements that nobody outside the house knows."""

FREE_TEXT = _words(
    "comment comments remark remarks notes memo freetext narrative",
    "bemerkung bemerkungen kommentar anmerkung freitext commentaire remarque observaciones",
)
"""Words of texts in which people write what they like."""

_COMPOUND_ENDINGS = ("nummer", "name", "adresse", "strasse", "telefon")


def column_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's name, in small letters without accents.

    >>> column_words("PatientID"), column_words("code_postal"), column_words("Straße Nr. 2")
    (('patient', 'id'), ('code', 'postal'), ('strasse', 'nr', '2'))
    """
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return tuple(re.findall(r"[^\W\d_]+|\d+", split.casefold()))


def tells(words: Iterable[str], known: frozenset[str]) -> bool:
    """Say whether one of the words, or two neighbours written as one, is known.

    >>> tells(column_words("last name"), PERSON), tells(column_words("Pay_Grade"), SENSITIVE)
    (True, True)
    """
    listed = list(words)
    pairs = [first + second for first, second in pairwise(listed)]
    return any(word in known for word in (*listed, *pairs))


def names_person(words: tuple[str, ...]) -> bool:
    """Say whether a column's name is that of names, addresses or personal numbers.

    >>> names_person(column_words("name")), names_person(column_words("hospital name"))
    (True, False)
    """
    if tells(words, PERSON):
        return True
    return "name" in words and (len(words) == 1 or tells(words, PERSON_BEFORE_NAME))


def names_identifier(words: tuple[str, ...]) -> bool:
    """Say whether a column's name is that of something that tells rows or people apart."""
    return tells(words, IDENTIFIER) or any(word.endswith(_COMPOUND_ENDINGS) for word in words)


def numbers_people(words: tuple[str, ...]) -> bool:
    """Say whether a column's name is that of a person or their number, and nothing else.

    >>> numbers_people(column_words("patient_nr")), numbers_people(column_words("patient age"))
    (True, False)
    """
    people = [word for word in words if word in PERSON_BEFORE_NAME]
    return bool(people) and all(word in people or word in NUMBERING for word in words)
