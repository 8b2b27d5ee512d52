"""What the name of a column tells about it."""

from __future__ import annotations

from sfumato.recognition.coarsenable import POSTCODE_WORDS
from sfumato.recognition.identifiers import IDENTIFIER_WORDS
from sfumato.recognition.words import column_words, tells

__all__ = ["column_words", "tells"]


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


PERSON = IDENTIFIER_WORDS
"""Words of names, addresses and personal numbers."""

PERSON_BEFORE_NAME = _words(
    "first last full family given maiden middle patient person customer client employee user",
    "student pupil mother father spouse doctor physician contact owner birth",
    "patiente paciente paziente klient kunde kunden client cliente usuario utente eleve alumno",
    "aluno alunno schuler schueler mitarbeiter employe empleado dipendente famille familia",
    "famiglia medecin medico arzt arztin complet completo",
)
"""Words that make the word ``name`` that of a person."""

NAME = _words("name names nom noms nombre nombres nome nomi naam namn navn imie jmeno nimi")
"""Words for a name, in French and Spanish also for a number or anything else that has one."""

IDENTIFIER = _words(
    "id ids identifier identifiant identificador identificativo kennung key name token hash pid",
    "uid ident unnamed session sessionid cookie visitor visitorid schluessel schlussel",
)
"""Words of columns that tell rows or people apart if they have many values."""

NUMBERING = _words(
    "number no nr num nummer numero record index row code account file case lfd lfdnr",
    "folio expediente",
)
"""Words of columns that tell rows or people apart if nearly every row has its own value."""

POSTCODE = POSTCODE_WORDS
"""Words of postcodes."""

TIME = _words(
    "age alter edad eta leeftijd year jahr annee ano anno jaar birth born dob yob geburt",
    "geburtsjahr geburtsdatum date datum fecha naissance nacimiento nascimento nascita geboorte",
    "geboortedatum urodzenia wiek idade jaar data fodelsedatum fodselsdato syntymaaika timestamp",
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
        "provincia province gemeinde commune comune municipio kommune bezirk departement regione",
        "wojewodztwo powiat kraj ville ciudad citta cidade stad miasto estado nationalite",
        "nacionalidad staatsangehorigkeit herkunft familienstand etatcivil estadocivil statocivile",
        "schulabschluss abschluss metier profesion ocupacion professione beruf poste puesto",
        "haushalt enfants hijos figli wohnort residence residencia residenza ethnie",
    )
)
"""Words of what neighbours, employers and public registers usually know."""

SENSITIVE = _words(
    "diagnosis diagnoses diagnose diag disease illness icd symptom symptoms condition finding",
    "treatment therapy medication medicine drug drugs procedure surgery hiv aids cancer pregnancy",
    "disability mental krankheit erkrankung befund therapie medikament maladie traitement",
    "enfermedad diagnostico diagnostic malattia diagnosi ziekte diagnoza choroba sygdom sjukdom",
    "symptome traitements tratamiento trattamento behandlung behandeling operation ops allergie",
    "allergy behinderung behinderungsgrad handicap discapacidad invalidita",
    "alcohol alkohol drogen sucht depression suizid schwangerschaft grossesse embarazo bmi",
    "sick sickness sickdays sickleave krank krankheiten krankheitstage krankentage krankheitsdauer",
    "krankenstand krankmeldung krankmeldungen krankgeschrieben fehltage arbeitsunfahigkeit",
    "income salary wage wages earnings pay cost costs charge charges debt credit loan balance",
    "wealth einkommen gehalt lohn kosten schulden revenu salaire cout ingresos salario coste",
    "costo reddito stipendio inkomen bruttolohn nettolohn bruttogehalt einkuenfte einkunfte rente",
    "verguetung vergutung bonus dochod pensja renta sueldo renda rendimento loon lon indkomst",
    "inkomst pension benefit benefits sozialhilfe balance kontostand umsatz erlos erloes",
    "religion confession konfession faith belief political party vote union sexual orientation",
    "offence offense crime conviction sentence arrest straftat vorstrafe delit",
    "grade grades score result iq test rating note noten outcome punkte zensur nota notas voto",
    "voti religione cijfer",
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
    "bemerkung bemerkungen kommentar anmerkung anmerkungen freitext notiz notizen commentaire",
    "commentaires remarque remarques observaciones observacion comentario comentarios osservazioni",
    "opmerking opmerkingen uwagi anamnese verlauf",
)
"""Words of texts in which people write what they like."""

_COMPOUND_ENDINGS = ("nummer", "name", "adresse", "strasse", "telefon")


def names_person(words: tuple[str, ...]) -> bool:
    """Say whether a column's name is that of names, addresses or personal numbers.

    >>> names_person(column_words("name")), names_person(column_words("hospital name"))
    (True, False)
    """
    if tells(words, PERSON):
        return True
    others = [word for word in words if word not in NAME]
    return len(others) < len(words) and (not others or tells(others, PERSON_BEFORE_NAME))


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
