"""Small versions of the tables that a first user brings, and messy ones in several languages."""

from __future__ import annotations

import datetime as dt
import random
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable


def _day(rng: random.Random, first: int, last: int) -> dt.date:
    span = (dt.date(last, 12, 31) - dt.date(first, 1, 1)).days
    return dt.date(first, 1, 1) + dt.timedelta(days=rng.randrange(span))


def german(number: float) -> str:
    return f"{number:,.2f}".replace(",", "x").replace(".", ",").replace("x", ".")


def hospital_visits(rows: int = 2_000) -> pd.DataFrame:
    """Messy visits: dates in three forms, decimal commas, ICD-10, spellings, marked gaps."""
    rng = random.Random(11)
    forms = ("%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y")
    weights = (90, 5, 5)
    towns = ("Hamburg", "Hannover", "Bremen", "Lübeck")

    def town() -> str:
        name = rng.choices(towns, (5, 3, 2, 1))[0]
        return rng.choices((name, name.upper(), f"{name} ", "Hambrug"), (94, 3, 2, 1))[0]

    return pd.DataFrame(
        {
            "Fallnr": [f"F{100_000 + 3 * row}" for row in range(rows)],
            "Patient": [f"Person {row % (rows // 2)}" for row in range(rows)],
            "Kontakt": [f"p{row}@post.example" for row in range(rows)],
            "geb.": [
                _day(rng, 1930, 2020).strftime(rng.choices(forms, weights)[0]) for _ in range(rows)
            ],
            "Geschl.": [rng.choice(("m", "w", "M", "W", "weiblich", "d")) for _ in range(rows)],
            "Wohnort": [town() for _ in range(rows)],
            "PLZ": [rng.choice(("20095", "20097", "30159", "28195", "23552")) for _ in range(rows)],
            "HD": [
                rng.choice(("I21.0", "I21.4", "E11.9", "J18.9", "K35.8", "C50.4", "S72.0"))
                for _ in range(rows)
            ],
            "Gewicht": [german(rng.gauss(75, 12)) for _ in range(rows)],
            "Erlös": [german(rng.lognormvariate(8, 1)) for _ in range(rows)],
            "Liegetage": [
                str(int(rng.expovariate(0.2))) if rng.random() > 0.04 else "k.A"
                for _ in range(rows)
            ],
            "Dringlichkeit": [rng.choice(("niedrig", "mittel", "hoch")) for _ in range(rows)],
        }
    )


def census_like_adult(rows: int = 2_000) -> pd.DataFrame:
    """The columns and the words of the census extract that everybody tries."""
    rng = random.Random(12)
    education = ("HS-grad", "Some-college", "Bachelors", "Masters", "11th", "Assoc-voc", "7th-8th")
    countries = ("United-States", "Mexico", "Germany", "Philippines", "England", "Columbia")
    return pd.DataFrame(
        {
            "age": [rng.randrange(17, 91) for _ in range(rows)],
            "fnlwgt": [rng.randrange(20_000, 900_000) for _ in range(rows)],
            "workclass": [
                rng.choice(("Private", "State-gov", "Self-emp-inc", "?")) for _ in range(rows)
            ],
            "education": [rng.choice(education) for _ in range(rows)],
            "sex": [rng.choice(("Male", "Female")) for _ in range(rows)],
            "native-country": [rng.choices(countries, (90, 3, 3, 2, 1, 1))[0] for _ in range(rows)],
            "hours-per-week": [rng.choice((20, 35, 40, 40, 40, 50, 60)) for _ in range(rows)],
            "income": [rng.choice(("<=50K", ">50K")) for _ in range(rows)],
        }
    )


def typed_frame(rows: int = 500) -> pd.DataFrame:
    """What a program has in memory: real numbers, dates and truth values, with gaps."""
    rng = random.Random(13)
    return pd.DataFrame(
        {
            "customer_id": range(rows),
            "born": pd.to_datetime([_day(rng, 1940, 2005) for _ in range(rows)]),
            "height": [rng.gauss(170, 10) if rng.random() > 0.1 else None for _ in range(rows)],
            "member": [rng.random() < 0.3 for _ in range(rows)],
            "weekday": [rng.choice(("Mon", "Tue", "Wed", "Sat", "Sun")) for _ in range(rows)],
            "debt": [rng.randrange(0, 9_000, 50) for _ in range(rows)],
        }
    )


def register_of_many(rows: int = 20_000) -> pd.DataFrame:
    """A small version of millions of rows: few columns, many equal rows."""
    rng = random.Random(14)
    areas = ("DE212", "DE300", "DE600", "FR101", "ITC4C", "ES300")
    return pd.DataFrame(
        {
            "year_of_birth": [rng.randrange(1930, 2006) for _ in range(rows)],
            "area": [rng.choice(areas) for _ in range(rows)],
            "nace": [
                rng.choice(("62.01", "47.11", "86.10", "85.20", "01.11")) for _ in range(rows)
            ],
            "isco": [rng.choice(("2512", "2221", "5223", "9112", "1120")) for _ in range(rows)],
            "monthly_wage": [rng.randrange(1_000, 9_000, 10) for _ in range(rows)],
        }
    )


def fifteen_quasi_identifiers(rows: int = 600) -> pd.DataFrame:
    """A survey with fifteen questions that neighbours could answer."""
    rng = random.Random(15)
    answers: dict[str, Callable[[], object]] = {
        "age": lambda: rng.randrange(18, 90),
        "sex": lambda: rng.choice("mf"),
        "state": lambda: rng.choice(("CA", "NY", "TX", "WA", "FL")),
        "household_size": lambda: rng.randrange(1, 8),
        "marital_status": lambda: rng.choice(("single", "married", "widowed", "divorced")),
        "education": lambda: rng.choice(("high school", "bachelor", "master", "phd")),
    }
    for number in range(9):
        answers[f"owns_{number}"] = lambda: rng.choice(("yes", "no", "do not know"))
    return pd.DataFrame(
        {name: [answer() for _ in range(rows)] for name, answer in answers.items()}
        | {"vote": [rng.choice(("a", "b", "c")) for _ in range(rows)]}
    )


def ten_rows() -> pd.DataFrame:
    """Ten people, as in a lecture."""
    return pd.DataFrame(
        {
            "name": [f"Person {n}" for n in range(10)],
            "age": [23, 27, 31, 36, 41, 44, 52, 58, 63, 67],
            "zip": ["47677", "47602", "47678", "47905", "47909", "47906", "47605", "47673"] * 1
            + ["47607", "47676"],
            "disease": ["flu", "gout", "flu", "asthma", "gout"] * 2,
        }
    )


SIX_TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "visits": hospital_visits,
    "adult": census_like_adult,
    "frame": typed_frame,
    "register": register_of_many,
    "fifteen": fifteen_quasi_identifiers,
    "ten": ten_rows,
}


def recensement(rows: int = 800) -> pd.DataFrame:
    """A French census extract."""
    rng = random.Random(21)
    return pd.DataFrame(
        {
            "N° dossier": [f"2023-{row:06}" for row in range(rows)],
            "Nom commune": [rng.choice(("Lyon", "Nantes", "Lille", "lille")) for _ in range(rows)],
            "date_fin": [_day(rng, 2019, 2023).strftime("%d/%m/%Y") for _ in range(rows)],
            "Sexe": [rng.choice(("H", "F")) for _ in range(rows)],
            "nombre d'enfants": [rng.randrange(6) for _ in range(rows)],
            "Diplôme": [
                rng.choice(("Brevet", "CAP", "Baccalauréat", "Licence", "Master", "Aucun diplôme"))
                for _ in range(rows)
            ],
            "Pays de naissance": [
                rng.choice(("France", "Algérie", "Maroc", "Italie", "Viêt Nam"))
                for _ in range(rows)
            ],
            "Revenu annuel": [
                f"{rng.randrange(9_000, 99_000):,} €".replace(",", "\u202f")
                if False
                else f"{rng.randrange(9_000, 99_000):,}".replace(",", "\u202f")
                for _ in range(rows)
            ],
            "Tél. mobile": [f"06 {rng.randrange(10**8):08}" for _ in range(rows)],
        }
    )


def encuesta(rows: int = 800) -> pd.DataFrame:
    """A Spanish survey."""
    rng = random.Random(22)
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    numbers = [rng.randrange(10**7, 10**8) for _ in range(rows)]
    return pd.DataFrame(
        {
            "documento": [f"{n}{letters[n % 23]}" for n in numbers],
            "sexo": [rng.choice(("H", "M")) for _ in range(rows)],
            "edad": [
                rng.choice(("18-24", "25-34", "35-44", "45-64", "65 o más")) for _ in range(rows)
            ],
            "estudios": [
                rng.choice(("Primaria", "Secundaria", "Bachillerato", "Grado", "Doctorado"))
                for _ in range(rows)
            ],
            "satisfacción": [
                rng.choice(("muy baja", "baja", "media", "alta", "muy alta")) for _ in range(rows)
            ],
            "ingresos": [rng.choice(("bajo", "medio", "alto")) for _ in range(rows)],
            "provincia": [rng.choice(("Madrid", "Sevilla", "Cádiz", "Cadiz")) for _ in range(rows)],
        }
    )


def payroll(rows: int = 700) -> pd.DataFrame:
    """A payroll with Swiss numbers and bank accounts."""
    rng = random.Random(23)

    def iban() -> str:
        account = f"{rng.randrange(10**17):017}"
        number = int(account + "121700")
        return f"CH{98 - number % 97:02}{account}"

    return pd.DataFrame(
        {
            "PersNr": [5_000 + row for row in range(rows)],
            "Zahlung": [iban() for _ in range(rows)],
            "Eintritt": [_day(rng, 1995, 2024).strftime("%d.%m.%y") for _ in range(rows)],
            "Pensum": [rng.choice((20, 40, 50, 60, 80, 100)) for _ in range(rows)],
            "Abteilung": [
                rng.choice(("IT", "HR", "Einkauf", "Verkauf", "Lager")) for _ in range(rows)
            ],
            "Bruttolohn": [
                f"{rng.randrange(40_000, 180_000):,}".replace(",", "'") for _ in range(rows)
            ],
        }
    )


def school(rows: int = 600) -> pd.DataFrame:
    """A school's list of marks in Italian."""
    rng = random.Random(24)
    return pd.DataFrame(
        {
            "matricola": [f"M{row:05}" for row in range(rows)],
            "cognome e nome": [f"Rossi {row}" for row in range(rows)],
            "classe": [rng.choice(("1A", "1B", "2A", "2B", "3A")) for _ in range(rows)],
            "data di nascita": [_day(rng, 2005, 2012).strftime("%d-%m-%Y") for _ in range(rows)],
            "mese": [rng.choice(("gennaio", "febbraio", "maggio", "giugno")) for _ in range(rows)],
            "cittadinanza": [
                rng.choice(("Italia", "Romania", "Albania", "Cina")) for _ in range(rows)
            ],
            "voto": [rng.choice(("4", "5,5", "6", "7,5", "9")) for _ in range(rows)],
        }
    )


def web_log(rows: int = 3_000) -> pd.DataFrame:
    """Requests of a web server."""
    rng = random.Random(25)
    start = dt.datetime(2024, 3, 1)
    pages = ("/", "/help", "/diabetes", "/login")
    return pd.DataFrame(
        {
            "client": [f"10.{rng.randrange(4)}.{rng.randrange(256)}.7" for _ in range(rows)],
            "time": [
                (start + dt.timedelta(seconds=rng.randrange(10**6))).isoformat()
                for _ in range(rows)
            ],
            "method": [rng.choice(("GET", "POST")) for _ in range(rows)],
            "path": [rng.choice(pages) for _ in range(rows)],
            "status": [rng.choice((200, 200, 200, 301, 404, 500)) for _ in range(rows)],
            "bytes": [int(rng.lognormvariate(8, 2)) for _ in range(rows)],
            "agent": [rng.choice(("Firefox/124", "Chrome/123", "Safari/17")) for _ in range(rows)],
            "session": [f"{rng.randrange(16**12):012x}" for _ in range(rows)],
        }
    )


MESSY_TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "recensement": recensement,
    "encuesta": encuesta,
    "payroll": payroll,
    "school": school,
    "web log": web_log,
}
