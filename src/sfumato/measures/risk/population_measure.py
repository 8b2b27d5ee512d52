"""What the measures share that compare classes with the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import SettingsError
from sfumato.measures.measure import Kind, Measure, Proved, SeenFrom

if TYPE_CHECKING:
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class PopulationMeasure(Measure):
    """A measure of F, the people of the population whom the labels of a class cover.

    The population is counted by the values before they were recoded, so that a file alone does not
    tell it. F is counted whatever was suppressed.
    """

    kind: ClassVar[Kind] = Kind.PRIVACY
    seen_from: ClassVar[SeenFrom] = SeenFrom.ORIGINALS
    bound_proved: ClassVar[Proved] = Proved.LIMITED
    bound_needs_coarsest: ClassVar[bool] = True

    def check(self, table: CountTable) -> None:
        """Refuse a table without a population."""
        if table.population is None:
            raise SettingsError(
                f"measure {self.name!r} needs a table of the population and the study has none",
                code="no-population",
                key="population",
                remedy='name it: [population] with path = "register.csv" in a study file, '
                "population=Population(table='register.csv') in Python",
            )
