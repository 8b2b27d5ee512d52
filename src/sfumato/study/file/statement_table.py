"""The tables ``[[statements]]`` of a study file: what people protect."""

from __future__ import annotations

from pydantic import Field

from sfumato.statements.confidential import ConfidentialStatement
from sfumato.statements.predicate_parser import predicate
from sfumato.study.file.table import Table, at_key
from sfumato.study.file.values import Number


class StatementTable(Table):
    """A predicate that people protect."""

    protect: str = Field(
        description="The predicate, about values of sensitive columns.",
        examples=["Health = 2"],
    )
    damage: Number | None = Field(
        default=None,
        description="The share of a person's harm that comes from it, above 0 and at most 1. For "
        "all statements or for none.",
        examples=[0.5],
    )
    where: str | None = Field(
        default=None,
        description="The rows that protect it, by a predicate about any columns. Everybody if "
        "left out.",
        examples=["Ward = oncology"],
    )

    def statement(self) -> ConfidentialStatement:
        """Return the statement; an error names the key that is wrong."""
        for key, text in (("protect", self.protect), ("where", self.where)):
            if text is not None:
                with at_key(key):
                    predicate(text)
        with at_key("damage"):
            return ConfidentialStatement(protect=self.protect, where=self.where, damage=self.damage)
