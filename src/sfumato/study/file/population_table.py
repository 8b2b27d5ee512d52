"""The table ``[population]`` of a study file: whom the people of the source were drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from sfumato.microdata.population import Population
from sfumato.study.file.table import Number, Table

if TYPE_CHECKING:
    from sfumato.study.file.named_paths import NamedPaths


class PopulationTable(Table):
    """The population: its table, its size, the sampling fraction, or a column of weights."""

    path: str | None = Field(
        default=None,
        min_length=1,
        description="The file with a row for every person of the population, relative to the study "
        "file, with the quasi-identifiers of the study.",
        examples=["register.csv"],
    )
    includes_sample: bool = Field(
        default=True,
        description="Whether the people of the source are in the table of the population.",
    )
    size: int | None = Field(
        default=None, description="How many people the population has.", examples=[1000000]
    )
    fraction: Number | None = Field(
        default=None,
        description="The share of the population that the source has, above 0 and up to 1.",
        examples=[0.05],
    )
    weights: str | None = Field(
        default=None,
        description="The column of the source with sampling weights: how many people of the "
        "population each row stands for, 1 or more.",
        examples=["weight"],
    )

    seal: str | None = Field(
        default=None,
        description="Written by sfumato where the path is outside the folder of the study file: it "
        "shows that you named it yourself. Leave it as it is, or leave it out.",
    )

    def population(self, paths: NamedPaths) -> Population | None:
        """Return the population, None if nothing is said of it."""
        if not self.given:
            return None
        return Population(
            table=None if self.path is None else paths.source(self.path, sealed=self.seal),
            includes_sample=self.includes_sample,
            size=self.size,
            fraction=None if self.fraction is None else float(self.fraction),
            weights=self.weights,
        )
