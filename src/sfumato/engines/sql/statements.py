"""The security test in plain SQL, on the cells of a written file, one text for all engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.written_metrics import WrittenSecurity
from sfumato.engines.sql.session import whole_number
from sfumato.statements.predicate import And, Atom, Not, Or

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engines.messages.written_metrics import ProtectingClasses, WrittenStatements
    from sfumato.engines.sql.session import SqlDialect, SqlSession, Values
    from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements
    from sfumato.statements.predicate import Predicate


def predicate_sql(dialect: SqlDialect, predicate: Predicate, column_of: Mapping[str, str]) -> str:
    """Return a predicate as an SQL condition that is true or false, never null.

    >>> from sfumato.engines.duckdb.dialect import DIALECT
    >>> from sfumato.statements.predicate_parser import predicate
    >>> told = predicate("not (HIV = + and Ward in {a, b})")
    >>> predicate_sql(DIALECT, told, {"HIV": "s0", "Ward": "s1"})
    "(NOT (coalesce(s0 IN ('+'), false) AND coalesce(s1 IN ('a', 'b'), false)))"
    """
    if isinstance(predicate, Atom):
        values = ", ".join(map(dialect.literal, predicate.values))
        return f"coalesce({column_of[predicate.column]} IN ({values}), false)"
    if isinstance(predicate, Not):
        return f"(NOT {predicate_sql(dialect, predicate.part, column_of)})"
    assert isinstance(predicate, And | Or)
    joint = " AND " if isinstance(predicate, And) else " OR "
    return f"({joint.join(predicate_sql(dialect, part, column_of) for part in predicate.parts)})"


def written_security(
    session: SqlSession,
    cells: str,
    blocks: Sequence[str],
    column_of: Mapping[str, str],
    wanted: WrittenStatements,
) -> WrittenSecurity:
    """Return the security of the classes; ``blocks`` are the columns that make a class.

    ``cells`` is SQL to select the cells from, with their numbers of rows m.
    """
    dialect = session.dialect
    statements = wanted.statements
    predicates = range(len(statements.predicates))
    sums = [
        f"sum(CASE WHEN {predicate_sql(dialect, predicate, column_of)} THEN m ELSE 0 END) AS s{j}"
        for j, predicate in enumerate(statements.predicates)
    ]
    if wanted.classes is None:
        protects = [_protects(dialect, statements, j, column_of) for j in predicates]
        damages = [_damage(dialect, statements, j, protects, column_of) for j in predicates]
        sums += [f"sum(CASE WHEN {protects[j]} THEN m ELSE 0 END) AS p{j}" for j in predicates]
        sums += [f"sum(m * {damages[j]}) AS w{j}" for j in predicates]
    by_class = ", ".join(blocks)
    session.materialize(
        "told",
        f"SELECT {by_class}, sum(m) AS n, {', '.join(sums)} FROM {cells} GROUP BY {by_class}",
    )
    rows = f"{session.named('told')} AS told"
    if wanted.classes is not None:
        _make_protecting(session, wanted.classes)
        same = " AND ".join(
            f"told.{block} IS NOT DISTINCT FROM protecting.{block}" for block in blocks
        )
        rows += f" LEFT JOIN {session.named('protecting')} AS protecting ON {same}"
    # In a class that the publisher does not know, everybody is taken to protect everything.
    insecure = " OR ".join(f"(s{j} = n AND coalesce(p{j}, n) > 0)" for j in predicates)
    risks = " + ".join(
        f"coalesce(w{j}, n) * {_gain(j, prior)}" for j, prior in enumerate(wanted.priors)
    )
    satisfied = ", ".join(f"coalesce(sum(s{j}), 0)" for j in predicates)
    (found,) = session.rows(
        f"SELECT coalesce(sum(CASE WHEN {insecure} THEN 1 ELSE 0 END), 0), "
        f"coalesce(sum({risks}), 0), {satisfied} FROM {rows}"
    )
    return WrittenSecurity(
        insecure=whole_number(found[0]),
        risk=float(found[1]),  # type: ignore[arg-type]
        satisfied=tuple(map(whole_number, found[2:])),
    )


def people_security(
    session: SqlSession,
    cells: str,
    blocks: Sequence[str],
    parts: Sequence[str],
    column_of: Mapping[str, str],
    wanted: WrittenStatements,
) -> WrittenSecurity:
    """Return the security of classes of people; ``parts`` are the columns of the person key.

    Whoever has a row that satisfies a predicate satisfies it, and protects it likewise. The risk
    of a person is that of the row where it is greatest. Of ``blocks``, the first says by 1 which
    classes are kept.
    """
    dialect, statements = session.dialect, wanted.statements
    predicates = range(len(statements.predicates))
    protects = [_protects(dialect, statements, j, column_of) for j in predicates]
    damages = [_damage(dialect, statements, j, protects, column_of) for j in predicates]
    by_class, person = ", ".join(blocks), ", ".join(parts)
    flags = []
    for j, predicate in enumerate(statements.predicates):
        told = predicate_sql(dialect, predicate, column_of)
        flags.append(f"max(CASE WHEN {told} THEN 1 ELSE 0 END) AS s{j}")
        flags.append(f"max(CASE WHEN {protects[j]} THEN 1 ELSE 0 END) AS guard{j}")
    session.materialize(
        "statements_of",
        f"SELECT {by_class}, {person}, {', '.join(flags)} FROM {cells} "
        f"GROUP BY {by_class}, {person}",
    )
    own = session.named("statements_of")
    sums = ", ".join(f"sum(s{j}) AS s{j}, sum(guard{j}) AS guard{j}" for j in predicates)
    session.materialize(
        "told", f"SELECT {by_class}, count(*) AS n, {sums} FROM {own} GROUP BY {by_class}"
    )
    told = session.named("told")
    insecure = " OR ".join(f"(s{j} = n AND guard{j} > 0)" for j in predicates)
    ((found,),) = session.rows(
        f"SELECT count(*) FROM {told} WHERE {blocks[0]} = 1 AND ({insecure})"
    )
    rows = ", ".join(
        [
            *(f"cells.{name}" for name in (*blocks, *parts)),
            *(f"{d} AS w{j}" for j, d in enumerate(damages)),
        ]
    )
    same = " AND ".join(f"damaged.{block} IS NOT DISTINCT FROM told.{block}" for block in blocks)
    risk = " + ".join(f"w{j} * {_gain(j, prior)}" for j, prior in enumerate(wanted.priors))
    owner = ", ".join(f"damaged.{part}" for part in parts)
    ((risks,),) = session.rows(
        f"SELECT coalesce(sum(risk), 0) FROM (SELECT max({risk}) AS risk "
        f"FROM (SELECT {rows} FROM {cells} AS cells) AS damaged JOIN {told} AS told ON {same} "
        f"GROUP BY {owner}) AS at_risk"
    )
    everybody = ", ".join(f"max(s{j}) AS s{j}" for j in predicates)
    satisfied = ", ".join(f"coalesce(sum(s{j}), 0)" for j in predicates)
    (satisfying,) = session.rows(
        f"SELECT {satisfied} FROM (SELECT {everybody} FROM {own} GROUP BY {person}) AS everybody"
    )
    return WrittenSecurity(
        insecure=whole_number(found),
        risk=float(risks),  # type: ignore[arg-type]
        satisfied=tuple(map(whole_number, satisfying)),
    )


def _gain(predicate: int, prior: float) -> str:
    """Return the SQL of max((log Pr φ - log Pr_τ) / log Pr φ, 0)."""
    if not 0 < prior < 1:
        return "0.0"
    share = f"(CAST(s{predicate} AS DOUBLE) / n)"
    before = f"ln(CAST({prior!r} AS DOUBLE))"
    gain = f"greatest(({before} - ln({share})) / {before}, 0.0)"
    return f"CASE WHEN s{predicate} = 0 THEN 0.0 ELSE {gain} END"


def _protects(
    dialect: SqlDialect,
    statements: ConfidentialStatements,
    predicate: int,
    column_of: Mapping[str, str],
) -> str:
    """Return the SQL of whether a row protects a predicate."""
    rules = [
        _applies(dialect, rule, column_of)
        for rule in statements.rules
        if rule.protect == statements.predicates[predicate]
    ]
    return f"({' OR '.join(rules)})"


def _applies(dialect: SqlDialect, rule: ConfidentialStatement, column_of: Mapping[str, str]) -> str:
    """Return the SQL of whether a rule is about a row."""
    return "true" if rule.where is None else predicate_sql(dialect, rule.where, column_of)


def _damage(
    dialect: SqlDialect,
    statements: ConfidentialStatements,
    predicate: int,
    protects: Sequence[str],
    column_of: Mapping[str, str],
) -> str:
    """Return the SQL of dm(u, φ) of a row."""
    if statements.rules[0].damage is None:
        # Where 1.0 is a decimal number, so is what it is divided by, with few digits.
        one = "CAST(1 AS DOUBLE)"
        several = " + ".join(f"CASE WHEN {each} THEN 1 ELSE 0 END" for each in protects)
        return f"(CASE WHEN {protects[predicate]} THEN {one} / ({several}) ELSE 0.0 END)"
    parts = [
        f"CASE WHEN {_applies(dialect, rule, column_of)} "
        f"THEN CAST({rule.damage!r} AS DOUBLE) ELSE 0.0 END"
        for rule in statements.rules
        if rule.protect == statements.predicates[predicate]
    ]
    return f"({' + '.join(parts)})"


def _make_protecting(session: SqlSession, classes: ProtectingClasses) -> None:
    """Make the table of who protects what, by the labels of the classes."""
    identifiers, predicates = range(classes.codes.shape[0]), range(classes.protecting.shape[0])
    arrays: dict[str, Values] = {f"b{q}": classes.codes[q].tolist() for q in identifiers}
    arrays |= {f"p{j}": classes.protecting[j].tolist() for j in predicates}
    arrays |= {f"w{j}": classes.damages[j].tolist() for j in predicates}
    session.fill("protecting_codes", arrays)
    for q, labels in enumerate(classes.labels):
        session.fill(f"block{q}", {"b": list(range(len(labels))), "l": list(labels)})
    names = [f"block{q}.l AS q{q}" for q in identifiers]
    names += [f"p{j}" for j in predicates] + [f"w{j}" for j in predicates]
    joins = " ".join(
        f"JOIN {session.named(f'block{q}')} AS block{q} ON protecting_codes.b{q} = block{q}.b"
        for q in identifiers
    )
    session.materialize(
        "protecting",
        f"SELECT {', '.join(names)} FROM {session.named('protecting_codes')} "
        f"AS protecting_codes {joins}",
    )
