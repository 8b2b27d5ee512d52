"""What a property is: a number for every row of an anonymized table (Comparison def. 1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, Self

from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.measures.explained import Explained
from sfumato.measures.measure import Scale
from sfumato.measures.sensitive_column import sensitive_column
from sfumato.plugins.member_text import write_measure

if TYPE_CHECKING:
    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.classes.anonymization import Anonymization
    from sfumato.measures.measure import Direction
    from sfumato.microdata.count_table import CountedColumn, CountTable


@dataclass(frozen=True, kw_only=True)
class Property(Explained, ABC):
    """A scalar that an anonymization gives every row, of privacy, utility or anything else.

    A subclass is a file of its own in this folder; nothing else has to know it. It computes a
    value for every class (or every sensitive value of a class), never for every row. One whose
    unit is "rows" counts the ``units`` of an anonymization, which are people where there is a key.
    """

    name: ClassVar[str]
    direction: ClassVar[Direction]
    scale: ClassVar[Scale] = Scale.LINEAR
    """Whether pages read it in percent or draw it on a logarithmic axis."""
    reference: ClassVar[str]

    def __str__(self) -> str:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        said = {f.name: given[f.name] for f in fields(self) if given[f.name] != f.default}
        return write_measure(self.name, said)

    @classmethod
    def variants(cls, table: CountTable) -> tuple[Self, ...]:  # noqa: ARG003
        """Return the properties of this class that a table supports without further settings."""
        return (cls(),)

    @abstractmethod
    def vector(self, anonymization: Anonymization) -> PropertyVector:
        """Return the property vector of an anonymization."""

    def vector_of(
        self,
        anonymization: Anonymization,
        values: Counts | Floats,
        *,
        best: float,
        worst: float,
        group_of: Codes | None = None,
    ) -> PropertyVector:
        """Return the vector of a value for each class, or for each group that ``group_of`` names.

        ``best`` and ``worst`` are the ends of what the property can be in this table.
        """
        return PropertyVector.of_groups(
            values,
            anonymization.class_of if group_of is None else group_of,
            anonymization.individuals,
            name=str(self),
            direction=self.direction,
            best=best,
            worst=worst,
            label=anonymization.label,
        )


@dataclass(frozen=True, kw_only=True)
class SensitiveProperty(Property):
    """A property of one sensitive column; it need not be named where there is only one."""

    column: str | None = None

    @classmethod
    def variants(cls, table: CountTable) -> tuple[Self, ...]:
        """Return one property for each sensitive column, named where there are several."""
        if len(table.sensitive) == 1:
            return (cls(),)
        return tuple(cls(column=column.name) for column in table.sensitive)

    def counted_column(self, table: CountTable) -> CountedColumn:
        """Return the column that is meant, or say which there are."""
        asker = f"property {self.name!r}"
        return sensitive_column(table, self.column, asker=asker, example=self.name)
