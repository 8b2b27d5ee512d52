"""The security test in plain SQL, on the tables ``cells`` and ``classes`` of a written file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.engines.sql_text import literal
from sfumato.data.secrets.sentence import And, Atom, Not, Or
from sfumato.data.written_secrets import WrittenSecurity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from sfumato.data.secrets.secrets import Secrets
    from sfumato.data.secrets.sentence import Sentence
    from sfumato.data.written_secrets import ProtectingClasses, WrittenSecrets

_CHUNK = 100_000


def sentence_sql(sentence: Sentence, column_of: Mapping[str, str]) -> str:
    """Return a sentence as an SQL condition that is true or false, never null.

    >>> from sfumato.data.secrets.sentence_parser import sentence
    >>> sentence_sql(sentence("not (HIV = + and Ward in {a, b})"), {"HIV": "s0", "Ward": "s1"})
    "(NOT (coalesce(s0 IN ('+'), false) AND coalesce(s1 IN ('a', 'b'), false)))"
    """
    if isinstance(sentence, Atom):
        values = ", ".join(map(literal, sentence.values))
        return f"coalesce({column_of[sentence.column]} IN ({values}), false)"
    if isinstance(sentence, Not):
        return f"(NOT {sentence_sql(sentence.part, column_of)})"
    assert isinstance(sentence, And | Or)
    joint = " AND " if isinstance(sentence, And) else " OR "
    return f"({joint.join(sentence_sql(part, column_of) for part in sentence.parts)})"


def written_security(
    connection: duckdb.DuckDBPyConnection,
    blocks: Sequence[str],
    column_of: Mapping[str, str],
    wanted: WrittenSecrets,
) -> WrittenSecurity:
    """Return the security of the classes; ``blocks`` are the columns that make a class."""
    secrets = wanted.secrets
    sentences = range(len(secrets.sentences))
    sums = [
        f"sum(CASE WHEN {sentence_sql(sentence, column_of)} THEN m ELSE 0 END) AS s{j}"
        for j, sentence in enumerate(secrets.sentences)
    ]
    if wanted.classes is None:
        protects = [_protects(secrets, j, column_of) for j in sentences]
        damages = [_damage(secrets, j, protects, column_of) for j in sentences]
        sums += [f"sum(CASE WHEN {protects[j]} THEN m ELSE 0 END) AS p{j}" for j in sentences]
        sums += [f"sum(m * {damages[j]}) AS w{j}" for j in sentences]
    by_class = ", ".join(blocks)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE told AS SELECT {by_class}, sum(m) AS n, {', '.join(sums)} "
        f"FROM cells GROUP BY {by_class}"
    )
    rows = "told"
    if wanted.classes is not None:
        _make_protecting(connection, wanted.classes)
        same = " AND ".join(
            f"told.{block} IS NOT DISTINCT FROM protecting.{block}" for block in blocks
        )
        rows = f"told LEFT JOIN protecting ON {same}"
    # A class that the publisher knows nothing of is taken for one in which everybody protects all.
    insecure = " OR ".join(f"(s{j} = n AND coalesce(p{j}, n) > 0)" for j in sentences)
    risks = " + ".join(
        f"coalesce(w{j}, n) * {_gain(j, prior)}" for j, prior in enumerate(wanted.priors)
    )
    satisfied = ", ".join(f"coalesce(sum(s{j}), 0)" for j in sentences)
    found = connection.execute(
        f"SELECT coalesce(sum(CASE WHEN {insecure} THEN 1 ELSE 0 END), 0), "
        f"coalesce(sum({risks}), 0), {satisfied} FROM {rows}"
    ).fetchone()
    assert found is not None
    return WrittenSecurity(
        insecure=int(found[0]), risk=float(found[1]), satisfied=tuple(map(int, found[2:]))
    )


def _gain(sentence: int, prior: float) -> str:
    """Return the SQL of max((log Pr φ - log Pr_τ) / log Pr φ, 0)."""
    if not 0 < prior < 1:
        return "0.0"
    share = f"(CAST(s{sentence} AS DOUBLE) / n)"
    gain = f"greatest((ln({prior!r}) - ln({share})) / ln({prior!r}), 0.0)"
    return f"CASE WHEN s{sentence} = 0 THEN 0.0 ELSE {gain} END"


def _protects(secrets: Secrets, sentence: int, column_of: Mapping[str, str]) -> str:
    """Return the SQL of whether a row protects a sentence."""
    rules = [
        "true" if rule.where is None else sentence_sql(rule.where, column_of)
        for rule in secrets.rules
        if rule.protect == secrets.sentences[sentence]
    ]
    return f"({' OR '.join(rules)})"


def _damage(
    secrets: Secrets, sentence: int, protects: Sequence[str], column_of: Mapping[str, str]
) -> str:
    """Return the SQL of dm(u, φ) of a row."""
    if secrets.rules[0].damage is None:
        several = " + ".join(f"CASE WHEN {each} THEN 1 ELSE 0 END" for each in protects)
        return f"(CASE WHEN {protects[sentence]} THEN 1.0 / ({several}) ELSE 0.0 END)"
    parts = [
        f"CASE WHEN {'true' if rule.where is None else sentence_sql(rule.where, column_of)} "
        f"THEN CAST({rule.damage!r} AS DOUBLE) ELSE 0.0 END"
        for rule in secrets.rules
        if rule.protect == secrets.sentences[sentence]
    ]
    return f"({' + '.join(parts)})"


def _make_protecting(connection: duckdb.DuckDBPyConnection, classes: ProtectingClasses) -> None:
    """Make the table of who protects what, by the labels of the classes."""
    identifiers, sentences = range(classes.codes.shape[0]), range(classes.protecting.shape[0])
    columns = [f"b{q} INTEGER" for q in identifiers]
    columns += [f"p{j} BIGINT" for j in sentences] + [f"w{j} DOUBLE" for j in sentences]
    connection.execute(f"CREATE OR REPLACE TEMP TABLE protecting_codes ({', '.join(columns)})")
    arrays = [*classes.codes, *classes.protecting, *classes.damages]
    texts = ", ".join("unnest(?)" for _ in arrays)
    for start in range(0, classes.codes.shape[1], _CHUNK):
        part = [array[start : start + _CHUNK].tolist() for array in arrays]
        connection.execute(f"INSERT INTO protecting_codes SELECT {texts}", part)
    for q, labels in enumerate(classes.labels):
        connection.execute(f"CREATE OR REPLACE TEMP TABLE block{q} (b INTEGER, l VARCHAR)")
        for start in range(0, len(labels), _CHUNK):
            some = list(labels[start : start + _CHUNK])
            connection.execute(
                f"INSERT INTO block{q} SELECT unnest(?), unnest(?)",
                [list(range(start, start + len(some))), some],
            )
    names = [f"block{q}.l AS q{q}" for q in identifiers]
    names += [f"p{j}" for j in sentences] + [f"w{j}" for j in sentences]
    joins = " ".join(f"JOIN block{q} ON protecting_codes.b{q} = block{q}.b" for q in identifiers)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE protecting AS SELECT {', '.join(names)} "
        f"FROM protecting_codes {joins}"
    )
