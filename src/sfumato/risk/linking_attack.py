"""The linking attack: look up people of a register in a table that has no names.

Sweeney (2002, §1) found the governor of Massachusetts so: his birth date, ZIP code and sex stood in
the voters' list of his town, and nobody else there shared all three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sfumato.engines.column_names import check_columns
from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.engines.duckdb.relation import relation_of
from sfumato.engines.duckdb.session import connected
from sfumato.engines.duckdb.translated_errors import source_error
from sfumato.errors import SettingsError, SourceError, located
from sfumato.microdata.roles import Role
from sfumato.risk.linking_labels import known_leaves, label_runs, shown_labels
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    import duckdb

    from sfumato.engines.sql.opened_table import Relation
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.missing import MissingValues
    from sfumato.microdata.roles import Attribute
    from sfumato.sources.source import ColumnarTable, Source


@dataclass(frozen=True, kw_only=True)
class TextSource:
    """A source and, for each of its columns, the SQL of the text of a cell."""

    source: Source
    relation: Relation
    sql: dict[str, str]

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection, source: Source) -> TextSource:
        """Open a source; what it needs is attached to the connection."""
        import duckdb

        try:
            relation = relation_of(connection, source)
            described = connection.execute(f"DESCRIBE SELECT * FROM {relation.sql}").fetchall()
        except duckdb.Error as error:
            raise source_error(error, where=str(source)) from None
        sql = {
            name: DIALECT.value_text(f"c{position}", str(column[1]))
            for position, (name, column) in enumerate(zip(relation.names, described, strict=True))
        }
        return cls(source=source, relation=relation, sql=sql)

    def select(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        columns: Sequence[str],
        *,
        secret: str | None = None,
        payload: Sequence[str] = (),
    ) -> None:
        """Make a table of the texts of ``columns`` as k0, k1, …, the secret, and the payload."""
        import duckdb

        asked = [f"{self.sql[name]} AS k{place}" for place, name in enumerate(columns)]
        if secret is not None:
            asked.append(f"{self.sql[secret]} AS secret")
            cells = ", ".join(f"coalesce({self.sql[name]}, '')" for name in payload)
            asked.append(f"[{cells}] AS payload")
        try:
            connection.execute(
                f"CREATE TEMP TABLE {table} AS SELECT {', '.join(asked)} FROM {self.relation.sql}"
            )
        except duckdb.Error as error:
            raise source_error(error, where=str(self.source)) from None


def distinct_cells(
    connection: duckdb.DuckDBPyConnection, table: str, position: int
) -> list[str | None]:
    """Return the different cells of a column of a table that `TextSource.select` made."""
    found = connection.execute(f"SELECT DISTINCT k{position} FROM {table}").fetchall()
    return [value for (value,) in found]


def _store(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Collection[Sequence[object]]
) -> None:
    """Make a table of some rows; ``table`` is its name with its columns."""
    connection.execute(f"CREATE TEMP TABLE {table}")
    columns = [list(column) for column in zip(*rows, strict=True)]
    if columns:
        asked = ", ".join("unnest(?)" for _ in columns)
        connection.execute(f"INSERT INTO {table.partition(' ')[0]} SELECT {asked}", columns)


def _store_covers(
    connection: duckdb.DuckDBPyConnection,
    position: int,
    leaves: Sequence[tuple[str | None, int | None]],
    shown: Mapping[str | None, str],
    hierarchy: PartitionedDomain,
) -> None:
    """Make the table of the known values with every label that covers them, as numbers.

    ``known`` and ``shown`` have the numbers of the cells of the register and of the release. A
    cell that is missing is covered by all labels.
    """
    number = {label: place for place, label in enumerate(sorted(set(shown.values())))}
    cells = [(cell, number[label]) for cell, label in shown.items()]
    _store(connection, f"shown{position} (cell VARCHAR, label INTEGER)", cells)
    values = [(cell, place, leaf) for place, (cell, leaf) in enumerate(leaves)]
    _store(connection, f"known{position} (cell VARCHAR, known INTEGER, leaf BIGINT)", values)
    runs = [(number[label], *ends) for label, *ends in label_runs(number, hierarchy)]
    _store(connection, f"runs{position} (label INTEGER, low BIGINT, high BIGINT)", runs)
    connection.execute(
        f"CREATE TEMP TABLE covers{position} AS "
        f"SELECT DISTINCT known, label FROM known{position} JOIN runs{position} "
        "ON leaf >= low AND leaf <= high UNION ALL "
        f"SELECT known, label FROM known{position}, (SELECT DISTINCT label FROM runs{position}) "
        "WHERE leaf IS NULL"
    )


class DescribedSource(Protocol):
    """A source with the roles and hierarchies of its columns; a study is one."""

    @property
    def source(self) -> Source | ColumnarTable | str | Path:
        """Where the original records are."""
        ...

    @property
    def attributes(self) -> Sequence[Attribute]:
        """The roles of its columns."""
        ...

    @property
    def missing(self) -> MissingValues:
        """How missing values are written."""
        ...

    @property
    def hierarchies(self) -> Mapping[str, PartitionedDomain]:
        """The hierarchies of its quasi-identifiers."""
        ...


@dataclass(frozen=True, kw_only=True)
class AttackResult:
    """What an attacker learns, and how much of it is true.

    Of ``people`` in the register, ``patients`` have a row in the source. For ``matched`` of them
    the table has rows that agree with what the register tells; for ``matched_uniquely`` exactly
    one, and for ``matched_rightly`` that one is their own. For ``learnt_sensitive`` all rows that
    agree have the same sensitive value, and for ``learnt_rightly`` it is their own.
    ``smallest_crowd`` is the fewest rows that agree with anyone who is matched, 0 if nobody is.
    """

    known: tuple[str, ...]
    sensitive: str
    people: int
    patients: int
    matched: int
    matched_uniquely: int
    matched_rightly: int
    learnt_sensitive: int
    learnt_rightly: int
    smallest_crowd: int


def linking_attack(
    register: Source | str | Path,
    table: Source | str | Path,
    *,
    study: DescribedSource,
    sensitive: str | None = None,
) -> AttackResult:
    """Look up everyone of the register in the table and count who is found.

    The attacker knows of each person the quasi-identifiers that register and table share. A row
    agrees with a person if the labels of its cells cover what is known: the value itself, a label
    of the hierarchies of the study, one of a local recoding, or ``*``. A cell that is missing
    could be anyone's, and a person about whom the register leaves a gap could be in any row in
    that respect.

    Only the counts of who is right look at the source of the study, where a person is found by
    all columns that it shares with the register. The table is grouped by its labels, so that
    nobody is compared row by row.
    """
    secret = _secret(study, sensitive)
    sources = (source_of(register), source_of(table), source_of(study.source))
    hierarchies = study.hierarchies
    with connected(sources) as connection:
        people, rows, origin = (TextSource.of(connection, source) for source in sources)
        known = [name for name in hierarchies if name in people.sql and name in rows.sql]
        if not known:
            raise SourceError(
                f"{sources[0]} and {sources[1]} share no quasi-identifier, so that there is "
                "nothing to link by",
                code="no-quasi-identifier",
                file=sources[0],
                expected=tuple(hierarchies),
            )
        identity = [name for name in people.sql if name in origin.sql and name not in known]
        if not any(a.role is Role.IDENTIFYING and a.name in identity for a in study.attributes):
            raise SourceError(
                f"{sources[0]} has no identifying column of the study, so that nobody knows who "
                "its people are",
                code="no-identifier",
                file=sources[0],
                expected=tuple(a.name for a in study.attributes if a.role is Role.IDENTIFYING),
            )
        check_columns([secret], list(rows.sql), where=str(sources[1]))
        payload = [name for name in rows.sql if name in origin.sql and name not in hierarchies]
        people.select(connection, "people", [*known, *identity])
        rows.select(connection, "released", [*known], secret=secret, payload=payload)
        origin.select(connection, "truth", [*known, *identity], secret=secret, payload=payload)
        for position, name in enumerate(known):
            values = distinct_cells(connection, "people", position)
            released = distinct_cells(connection, "released", position)
            with located(file=sources[1], column=name):
                shown = shown_labels(released, hierarchies[name], missing=study.missing)
            with located(file=sources[0], column=name):
                leaves = known_leaves(values, hierarchies[name], missing=study.missing)
            _store_covers(connection, position, leaves, shown, hierarchies[name])
        counts = _counts(connection, known=len(known), identity=len(identity))
    return AttackResult(known=tuple(known), sensitive=secret, **counts)


def _counts(connection: duckdb.DuckDBPyConnection, *, known: int, identity: int) -> dict[str, int]:
    """Find everyone's rows and count."""
    facts = ", ".join(f"k{place}" for place in range(known))

    def joins(table: str, prefix: str) -> str:
        return " ".join(
            f"JOIN {prefix}{place} ON {table}.k{place} IS NOT DISTINCT FROM {prefix}{place}.cell"
            for place in range(known)
        )

    def same(left: str, right: str, places: int) -> str:
        return " AND ".join(
            f"{left}.k{place} IS NOT DISTINCT FROM {right}.k{place}" for place in range(places)
        )

    # A row for each combination of labels, however many rows the table has.
    labels = ", ".join(f"shown{place}.label AS l{place}" for place in range(known))
    connection.execute(
        f"CREATE TEMP TABLE crowds AS SELECT {labels}, count(*) AS n, "
        "count(secret) AS told, min(secret) AS low, max(secret) AS high, "
        f"any_value(payload) AS payload, row_number() OVER () AS crowd "
        f"FROM released {joins('released', 'shown')} "
        f"GROUP BY {', '.join(f'shown{place}.label' for place in range(known))}"
    )
    values = ", ".join(f"known{place}.known AS v{place}" for place in range(known))
    connection.execute(
        f"CREATE TEMP TABLE facts AS SELECT people.*, {values}, row_number() OVER () AS fact "
        f"FROM (SELECT DISTINCT {facts} FROM people) AS people {joins('people', 'known')}"
    )
    # The column with the most labels pairs everyone with few crowds, the others only test them:
    # joined all at once, labels that cover many (sex) would pair nearly everyone with every crowd.
    # These pairs are by far the largest table, and hold numbers only.
    many = [
        connection.execute(f"SELECT count(DISTINCT label) FROM runs{place}").fetchall()[0][0]
        for place in range(known)
    ]
    first, *others = sorted(range(known), key=lambda place: -many[place])
    tested = "".join(f", v{place}, l{place}" for place in others)
    connection.execute(
        f"CREATE TEMP TABLE pairs AS SELECT fact, crowd{tested} FROM facts "
        f"JOIN covers{first} ON facts.v{first} = covers{first}.known "
        f"JOIN crowds ON crowds.l{first} = covers{first}.label"
    )
    tests = " ".join(
        f"JOIN covers{place} ON pairs.v{place} = covers{place}.known "
        f"AND pairs.l{place} = covers{place}.label"
        for place in others
    )
    connection.execute(
        f"CREATE TEMP TABLE found AS SELECT {facts}, CAST(sum(n) AS BIGINT) AS n, "
        "sum(told) AS told, min(low) AS low, max(high) AS high, any_value(payload) AS payload "
        f"FROM (SELECT fact, crowd FROM pairs {tests}) AS agreeing "
        f"JOIN crowds USING (crowd) JOIN facts USING (fact) GROUP BY {facts}"
    )
    everyone = ", ".join(f"people.k{place}" for place in range(known + identity))
    connection.execute(
        "CREATE TEMP TABLE own AS SELECT "
        f"{everyone}, list(secret) AS secrets, list(payload) AS payloads "
        f"FROM (SELECT DISTINCT * FROM people) AS people "
        f"JOIN truth ON {same('people', 'truth', known + identity)} GROUP BY {everyone}"
    )
    learnt = "found.low = found.high AND found.told = found.n"
    counted = {
        "people": "count(*)",
        "patients": "count(own.secrets)",
        "matched": "count(found.n)",
        "matched_uniquely": "count_if(found.n = 1)",
        "matched_rightly": "count_if(found.n = 1 AND list_contains(own.payloads, found.payload))",
        "learnt_sensitive": f"count_if({learnt})",
        "learnt_rightly": f"count_if({learnt} AND list_contains(own.secrets, found.low))",
        "smallest_crowd": "coalesce(min(found.n), 0)",
    }
    answer = connection.execute(
        f"SELECT {', '.join(counted.values())} FROM people "
        f"LEFT JOIN found ON {same('people', 'found', known)} "
        f"LEFT JOIN own ON {same('people', 'own', known + identity)}"
    ).fetchone()
    assert answer is not None
    return dict(zip(counted, map(int, answer), strict=True))


def _secret(study: DescribedSource, sensitive: str | None) -> str:
    named = [a.name for a in study.attributes if a.role is Role.SENSITIVE]
    if sensitive is None and len(named) == 1:
        return named[0]
    if sensitive is None or sensitive not in named:
        if sensitive is not None:
            raise SettingsError.unknown_choice("sensitive", sensitive, named)
        raise SettingsError(
            "the sensitive column to learn is not named",
            code="missing-setting",
            key="sensitive",
            expected=named,
        )
    return sensitive
