"""Reading a release with typed columns: intervals, periods, ordered categories."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from sfumato.engines.messages.column_facts import FORMULA_STARTS
from sfumato.errors import SettingsError, SourceError
from sfumato.errors.listing import listed
from sfumato.release.certificates.documents import certificate_beside, read_public_certificate
from sfumato.sources.csv_dialect import csv_dialect
from sfumato.sources.parts import no_file
from sfumato.sources.source import CsvFile
from sfumato.study.auditing import known_hierarchies
from sfumato.study.file.study_file import read_study_file
from sfumato.utility.typed_columns import TypedLabels, typed_labels
from sfumato.utility.value_numbers import ValueKind

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from sfumato.release.certificates.public import PublicCertificate
    from sfumato.study.description import StudyDescription

_PERIODS = {
    "D": re.compile(r"\d{4}-\d\d-\d\d"),
    "M": re.compile(r"\d{4}-\d\d"),
    "Q": re.compile(r"\d{4}-Q[1-4]"),
    "Y": re.compile(r"\d{4}"),
}
"""How the labels of periods are written, by their pandas frequency."""


@overload
def read_release(
    path: str | Path,
    study: StudyDescription | str | Path,
    *,
    frame: Literal["pandas"] = "pandas",
    certificate: str | Path | None = None,
) -> pd.DataFrame: ...


@overload
def read_release(
    path: str | Path,
    study: StudyDescription | str | Path,
    *,
    frame: Literal["polars"],
    certificate: str | Path | None = None,
) -> pl.DataFrame: ...


def read_release(
    path: str | Path,
    study: StudyDescription | str | Path,
    *,
    frame: Literal["pandas", "polars"] = "pandas",
    certificate: str | Path | None = None,
) -> pd.DataFrame | pl.DataFrame:
    """Return a release as a data frame whose columns have types (docs/utility.md).

    The ``study``, or its file, has the hierarchies by which labels are read; its source is needed
    only where they depend on it. The public ``certificate``, the one beside the file unless given,
    says what the labels are where the recoding is a local one or the release is microaggregated.
    """
    if frame not in ("pandas", "polars"):
        raise SettingsError(
            code="unknown-choice",
            key="frame",
            found=repr(frame),
            expected=("pandas", "polars"),
        )
    file = Path(path)
    if not file.exists():
        raise no_file(file)
    described = read_study_file(study).study if isinstance(study, str | Path) else study
    beside = certificate_beside(file) if certificate is None else Path(certificate)
    public = read_public_certificate(beside) if certificate is not None or beside.exists() else None
    texts = _texts(file, public)
    levels = {each.name: each.minimum_level for each in described.attributes}
    columns = {}
    for name, hierarchy in known_hierarchies(described).items():
        if name not in texts.columns:
            raise SourceError(
                f"{file} has no column {name!r}, which is a quasi-identifier of the study",
                code="lacking-columns",
                file=file,
                column=name,
                found=listed(tuple(texts.columns)),
            )
        told = None if public is None else public.recoding.get(name)
        columns[name] = typed_labels(
            sorted(texts[name].dropna().astype(str).unique()),
            hierarchy,
            column=name,
            output=None if told is None else told.output,
            minimum_level=levels[name],
            statistics=told is not None and told.statistic is not None,
        )
    return _pandas(texts, columns) if frame == "pandas" else _polars(texts, columns)


def _texts(file: Path, public: PublicCertificate | None) -> pd.DataFrame:
    """Return the cells as texts; a cell that has nothing is missing."""
    import pandas as pd

    if ".parquet" in file.suffixes or file.is_dir():
        return pd.read_parquet(file).astype("string").astype(object)
    settings = None if public is None else public.release.csv
    source = CsvFile(path=file) if settings is None else settings.file(file)
    texts = pd.read_csv(
        file,
        sep=csv_dialect(source).delimiter,
        dtype=str,
        keep_default_na=False,
        na_values=[""],
        encoding="utf-8",
    )
    return texts.map(_unescaped) if source.escaped_formulas else texts


def _unescaped(text: object) -> object:
    """Return a text without the apostrophe that keeps spreadsheets from running it."""
    if isinstance(text, str) and text.startswith("'"):
        return text[1:] if text.lstrip("'").startswith(FORMULA_STARTS) else text
    return text


def _pandas(texts: pd.DataFrame, columns: dict[str, TypedLabels]) -> pd.DataFrame:
    import pandas as pd

    found = {}
    for name in texts.columns:
        series = texts[name]
        typed = columns.get(name)
        if typed is None:
            found[name] = _plain(series)
        elif typed.kind is ValueKind.CATEGORY:
            kind = pd.CategoricalDtype(list(typed.order), ordered=True)
            found[name] = series.astype(kind)
        else:
            found[name] = _intervals(series, typed)
    return pd.DataFrame(found)


def _intervals(series: pd.Series, typed: TypedLabels) -> pd.Series:
    """Return numbers as intervals, and dates as periods if all labels are periods of a kind."""
    import pandas as pd

    labels = [label for label, ends in typed.ends.items() if ends is not None]
    if typed.kind is ValueKind.DATE:
        for frequency, form in _PERIODS.items():
            if labels and all(form.fullmatch(label) for label in labels):
                values = [label if label in labels else None for label in series]
                return pd.Series(
                    pd.PeriodIndex(values, freq=frequency), index=series.index, name=series.name
                )

    def end(label: object, at: int) -> object:
        ends = typed.ends.get(str(label)) if isinstance(label, str) else None
        if ends is None:
            return None
        return _day(ends[at]) if typed.kind is ValueKind.DATE else ends[at]

    sides = [[end(label, at) for label in series] for at in (0, 1)]
    if typed.kind is ValueKind.DATE:
        low, high = (pd.to_datetime(pd.Series(side)) for side in sides)
    else:
        low, high = (pd.Series(side, dtype="float64") for side in sides)
    closed: Literal["both", "left"] = "both" if typed.whole else "left"
    found = pd.IntervalIndex.from_arrays(low, high, closed=closed)
    return pd.Series(found, index=series.index, name=series.name)


def _polars(texts: pd.DataFrame, columns: dict[str, TypedLabels]) -> pl.DataFrame:
    import polars as pl

    found = []
    for name in texts.columns:
        values = [value if isinstance(value, str) else None for value in texts[name]]
        typed = columns.get(name)
        if typed is None:
            plain = _plain(texts[name])
            found.append(pl.Series(name, [None if v != v else v for v in plain.tolist()]))
        elif typed.kind is ValueKind.CATEGORY:
            found.append(pl.Series(name, values, dtype=pl.Enum(list(typed.order))))
        else:
            spans = [None if value is None else typed.ends.get(value) for value in values]
            dates = typed.kind is ValueKind.DATE
            kind = pl.Date if dates else pl.Float64
            rows = [
                None
                if span is None
                else {
                    "low": _day(span[0]) if dates else span[0],
                    "high": _day(span[1]) if dates else span[1],
                }
                for span in spans
            ]
            found.append(pl.Series(name, rows, dtype=pl.Struct({"low": kind, "high": kind})))
    return pl.DataFrame(found)


def _day(number: float) -> date:
    return date.fromordinal(round(number))


def _plain(series: pd.Series) -> pd.Series:
    """Return a column that was released as it is: numbers, dates or texts."""
    import pandas as pd

    known = series.dropna()
    if known.empty:
        return series
    numbers = pd.to_numeric(known, errors="coerce")
    # A leading zero makes a code, and no number.
    codes = known.astype(str).str.match(r"[+-]?0\d")
    if not numbers.isna().any() and not codes.any():
        return pd.to_numeric(series)
    if known.astype(str).str.fullmatch(r"\d{4}-\d\d-\d\d").all():
        return pd.to_datetime(series, format="%Y-%m-%d")
    return series
