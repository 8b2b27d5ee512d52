"""The kinds of identifiers: the eighteen of HIPAA's Safe Harbor, and national ones of Europe.

Geographic units and dates, which the Safe Harbor lists too (B and C), are no identifiers by
themselves but quasi-identifiers: a study coarsens them (`sfumato.recognition.coarsenable`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.recognition import checksums
from sfumato.recognition.identifier_kind import IdentifierKind
from sfumato.recognition.words import column_words, tells

if TYPE_CHECKING:
    from collections.abc import Sequence


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_CHECKED = 0.95
_MANY = 10
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"

IDENTIFIERS: tuple[IdentifierKind, ...] = (
    IdentifierKind(
        name="email",
        title="e-mail addresses",
        words=_words("email mail emailaddress courriel correo epost mejl"),
        patterns=(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+",),
        safe_harbor="F",
    ),
    IdentifierKind(
        name="url",
        title="web addresses",
        words=_words("url website homepage webpage webseite permalink"),
        patterns=(r"(?:https?|ftp)://\S+", r"www\.\S+\.\S+"),
        safe_harbor="N",
    ),
    IdentifierKind(
        name="ip",
        title="IP addresses",
        words=_words("ip ipaddress ipaddr ipv4 ipv6 remoteaddr remotehost clientip ipadresse"),
        patterns=(
            rf"{_OCTET}(?:\.{_OCTET}){{3}}(?::\d+)?",
            r"(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,7}:(?:[0-9a-f:]*)",
        ),
        safe_harbor="O",
    ),
    IdentifierKind(
        name="device",
        title="addresses or numbers of devices",
        words=_words(
            "mac macaddress imei imsi iccid udid deviceid deviceserial serialnumber seriennummer",
            "serialno geratenummer geraetenummer numeroserie pacemaker implant implantid",
        ),
        patterns=(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}",),
        safe_harbor="M",
    ),
    IdentifierKind(
        name="uuid",
        title="universally unique identifiers",
        words=_words("uuid guid"),
        patterns=(r"\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?",),
        safe_harbor="R",
    ),
    IdentifierKind(
        name="account",
        title="bank accounts",
        words=_words(
            "iban bic accountnumber accountno kontonummer kontonr konto bankkonto bankaccount",
            "numerocompte cuenta numerocuenta rekeningnummer rekening",
        ),
        patterns=(r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){10,30}",),
        check=checksums.iban,
        safe_harbor="J",
    ),
    IdentifierKind(
        name="card",
        title="payment cards",
        words=_words("creditcard cardnumber kreditkarte kreditkartennummer cartecredit ccnumber"),
        patterns=(r"[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}",),
        check=checksums.luhn,
        safe_harbor="J",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="social-security",
        title="numbers of social security or of a national register",
        words=_words(
            "ssn socialsecurity nino sozialversicherungsnummer svnr svnummer rentenversicherung",
            "rentenversicherungsnummer rvnr steuerid steueridnr steuernummer ahv ahvnummer nss",
            "nir numerosecu securitesociale secu dni nif numeroseguro codicefiscale cpf bsn",
            "burgerservicenummer pesel personnummer cprnummer cpr hetu henkilotunnus rodnecislo",
            "rijksregisternummer nationalid nationalidnumber idnumber aadhaar curp rut",
        ),
        patterns=(r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}",),
        safe_harbor="G",
    ),
    IdentifierKind(
        name="nino",
        title="British national insurance numbers",
        patterns=(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]",),
        safe_harbor="G",
    ),
    IdentifierKind(
        name="nir",
        title="French social security numbers",
        patterns=(r"[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}",),
        check=checksums.nir,
        safe_harbor="G",
    ),
    IdentifierKind(
        name="dni",
        title="Spanish DNI or NIE",
        patterns=(r"(?:\d{8}|[XYZ]\d{7})[ -]?[A-Z]",),
        check=checksums.dni,
        safe_harbor="G",
    ),
    IdentifierKind(
        name="codice-fiscale",
        title="Italian tax codes",
        patterns=(r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]",),
        safe_harbor="G",
    ),
    IdentifierKind(
        name="cpf",
        title="Brazilian CPF",
        patterns=(r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}",),
        check=checksums.cpf,
        safe_harbor="G",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="pesel",
        title="Polish PESEL",
        patterns=(r"\d{11}",),
        check=checksums.pesel,
        safe_harbor="G",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="steuer-id",
        title="German tax numbers",
        patterns=(r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}",),
        check=checksums.steuer_id,
        safe_harbor="G",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="ahv",
        title="Swiss AHV numbers",
        patterns=(r"756[.]?\d{4}[.]?\d{4}[.]?\d{2}",),
        check=checksums.ean_13,
        safe_harbor="G",
    ),
    IdentifierKind(
        name="svnr",
        title="Austrian social insurance numbers",
        patterns=(r"[1-9]\d{3} ?(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2}",),
        check=checksums.svnr,
        safe_harbor="G",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="bsn",
        title="Dutch BSN",
        patterns=(r"\d{9}",),
        check=checksums.bsn,
        safe_harbor="G",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="nif",
        title="Portuguese NIF",
        patterns=(r"[123568]\d{8}",),
        check=checksums.nif,
        safe_harbor="G",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="personnummer",
        title="Swedish personal numbers",
        patterns=(r"(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-+]\d{4}",),
        check=lambda code: checksums.luhn(code.replace("+", "")[-10:]),
        safe_harbor="G",
    ),
    IdentifierKind(
        name="medical-record",
        title="numbers of medical records",
        words=_words(
            "mrn medicalrecord recordnumber patientennummer patientnumber patientid fallnummer",
            "patientnr patientno patientennr patnr patno patid fallnr fallid encounterid visitid",
            "aktenzeichen nhc historiaclinica dossier numerodossier cartella ipp",
        ),
        safe_harbor="H",
    ),
    IdentifierKind(
        name="health-plan",
        title="numbers of health insurance",
        words=_words(
            "nhs nhsnumber nhsno kvnr versichertennummer versicherungsnummer",
            "krankenversichertennummer insuranceid memberid beneficiaryid medicare medicareid",
            "cartevitale tarjetasanitaria tesserasanitaria polizzennummer policynumber",
        ),
        patterns=(r"\d{3}[ -]?\d{3}[ -]?\d{4}",),
        check=checksums.nhs,
        safe_harbor="I",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="licence",
        title="numbers of certificates, licences and passports",
        words=_words(
            "passport passportnumber reisepass passnummer ausweisnummer personalausweis passeport",
            "pasaporte passaporto driverlicense driverslicense driverlicence drivinglicence",
            "fuhrerschein fuehrerschein fuhrerscheinnummer licensenumber licencenumber",
        ),
        safe_harbor="K",
    ),
    IdentifierKind(
        name="vehicle",
        title="vehicle numbers or plates",
        words=_words(
            "vin licenceplate licenseplate numberplate plate kennzeichen nummernschild",
            "fahrgestellnummer immatriculation matricula targa kenteken",
        ),
        patterns=(r"[A-HJ-NPR-Z0-9]{17}",),
        check=checksums.vin,
        safe_harbor="L",
    ),
    IdentifierKind(
        name="plate",
        title="plates of vehicles",
        patterns=(
            r"[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?\d{1,4}[EH]?",
            r"[A-Z]{2}-\d{3}-[A-Z]{2}",
            r"[A-Z]{2}\d{2} [A-Z]{3}",
            r"\d{4} [BCDFGHJKLMNPRSTVWXYZ]{3}",
        ),
        safe_harbor="L",
        share=_CHECKED,
        fewest=_MANY,
    ),
    IdentifierKind(
        name="address",
        title="street addresses",
        words=_words(
            "address addr street streetaddress housenumber adresse anschrift strasse hausnummer",
            "wohnadresse rue direccion domicilio indirizzo endereco morada calle adres straat",
            "huisnummer ulica adres adresa gata gatuadress gade",
        ),
        patterns=(
            r".*(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|damm|ufer)\s+\d{1,3}\s*[a-z]?(?:,.*)?",
            r"\d+[a-z]?,?\s.*\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|"
            r"court|ct|way|place|square|close|terrace)\b\.?.*",
            r"(?:\d+\s*(?:bis|ter)?,?\s*)?(?:rue|avenue|av\.|boulevard|bd|chemin|impasse|allée|"
            r"place|quai)\s.+",
            r"(?:calle|c/|avda?\.?|avenida|plaza|paseo|rua|travessa|via|viale|piazza|corso|ul\.)"
            r"\s.+\d+.*",
            r".+(?:straat|laan|plein|gracht|kade|weg|gatan|vägen|gade|vej)\s+\d+.*",
        ),
        safe_harbor="B",
    ),
    IdentifierKind(
        name="fax",
        title="fax numbers",
        words=_words("fax faxnumber faxnummer telefax"),
        safe_harbor="E",
    ),
    IdentifierKind(
        name="phone",
        title="telephone numbers",
        words=_words(
            "phone telephone tel mobile cellphone phonenumber telefon telefonnummer handy",
            "handynummer mobil mobilnummer rufnummer telefono tlf movil celular cellulare",
            "telefone telemovel telefoon telefoonnummer gsm komorka telefonu",
        ),
        patterns=(
            r"(?:\+|00)\d{1,3}[\s./()-]*(?:\d[\s./()-]*){6,13}",
            r"(?!\d{1,2}[./-]\d{1,2}[./-]\d{2,4})\(?0\d{1,5}\)?[\s./-]+\d[\d\s./-]{3,13}",
            r"0\d{9,11}",
            r"\(?[2-9]\d{2}\)?[\s.-]\d{3}[\s.-]\d{4}(?:\s*x\d+)?",
        ),
        safe_harbor="D",
    ),
    IdentifierKind(
        name="biometric",
        title="biometric identifiers",
        words=_words("fingerprint fingerabdruck biometric voiceprint huella empreinte"),
        safe_harbor="P",
    ),
    IdentifierKind(
        name="photograph",
        title="photographs",
        words=_words("photo photograph foto fotografie lichtbild portrait passbild"),
        safe_harbor="Q",
    ),
    IdentifierKind(
        name="person-name",
        title="names of people",
        words=_words(
            "surname lastname firstname forename givenname familyname fullname middlename",
            "maidenname nickname initials vorname nachname familienname zuname geburtsname rufname",
            "prenom prenoms nomprenom apellido apellidos cognome nomecognome sobrenome apelido",
            "voornaam achternaam nazwisko fornamn efternamn fornavn efternavn",
            "prijmeni etunimi sukunimi",
        ),
        safe_harbor="A",
    ),
    IdentifierKind(
        name="login",
        title="numbers or names that somebody goes by",
        words=_words(
            "username login userid benutzername benutzer accountname personalnummer",
            "personalnr kundennummer kundennr matrikelnummer matricule employeeid staffid",
            "studentid mitarbeiternummer mitarbeiternr schulernummer numeroetudiant legajo",
            "numeroempleado matricola",
        ),
        safe_harbor="R",
    ),
    IdentifierKind(
        name="other",
        title="numbers or codes that tell rows or people apart",
        safe_harbor="R",
    ),
)
"""All kinds, those with the most telling shapes first."""

IDENTIFIER_WORDS = frozenset(word for kind in IDENTIFIERS for word in kind.words)
"""The words of names of columns that have identifiers of people."""


def identifier_named(name: str) -> IdentifierKind | None:
    """Return the kind of identifiers that a column's name tells, None if it tells none.

    >>> [kind.name for kind in map(identifier_named, ("E-Mail", "Téléphone mobile")) if kind]
    ['email', 'phone']
    >>> identifier_named("age") is None
    True
    """
    words = column_words(name)
    return next((kind for kind in IDENTIFIERS if tells(words, kind.words)), None)


def identifier_seen(values: Sequence[str], *, of_numbers: bool = False) -> IdentifierKind | None:
    """Return the kind of identifiers that most of some different values look like.

    Numbers are identifiers if their check digits are right.

    >>> identifier_seen([f"10.0.0.{n}" for n in range(9)]).title
    'IP addresses'
    >>> identifier_seen(["red", "green", "blue"]) is None
    True
    """
    kinds = (kind for kind in IDENTIFIERS if kind.fits_most(values))
    found = next(kinds, None)
    return None if found is None or (of_numbers and found.check is None) else found
