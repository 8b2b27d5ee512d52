"""A proposed study of any table, as ``sfumato init`` would write it, to be edited in Python."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.engine import joint_counts, profile
from sfumato.errors import SettingsError
from sfumato.microdata.roles import Role
from sfumato.sources.source import source_of
from sfumato.study.file.study_file import study_of_text
from sfumato.study.proposal import proposal as proposals
from sfumato.study.proposal.study_template import study_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engines.engine import Engine
    from sfumato.sources.source import ColumnarTable, Source
    from sfumato.study.study import Study

_FILE = Path("proposal.toml")
"""What errors would call the text, which is never written."""


def propose(
    table: Source | ColumnarTable | str | Path,
    *,
    person: Sequence[str] | str = (),
    engine: Engine | None = None,
) -> Study:
    """Return a study of a table, proposed from the names and shapes of its columns.

    It is the study that ``sfumato init`` writes of the same rows, with the source as given. Look at
    its attributes and change what is wrong, by `Study.with_attributes` or `dataclasses.replace`.
    The columns of ``person`` tell whom a row is about.

    >>> import pandas as pd
    >>> ages = [str(20 + i % 40) for i in range(200)]
    >>> table = pd.DataFrame({"age": ages, "diagnosis": ["flu", "asthma"] * 100})
    >>> {a.name: a.role.value for a in propose(table).attributes}
    {'age': 'quasi-identifying', 'diagnosis': 'sensitive'}
    """
    source = source_of(table)
    chosen = engine or DuckDBEngine()
    key = (person,) if isinstance(person, str) else tuple(person)
    proposal = proposals.propose(
        profile(chosen, source),
        where=str(source),
        person=key,
        count=partial(joint_counts, chosen, source),
    )
    if not proposal.of_role(Role.QUASI_IDENTIFYING):
        raise SettingsError(
            f"no column of {source} looks quasi-identifying, and a study needs one",
            code="no-quasi-identifier",
            file=source,
            remedy="make a Study, and give the role to what others may know, with a hierarchy",
        )
    # The text says what is proposed, and is read as any study file, so that both are one study.
    text = study_template(proposal, source={"path": "table.csv"}, title="", command="")
    study = study_of_text(_FILE, text, reads_source=False).study
    return replace(study, source=source, engine=chosen, described_in=None)
