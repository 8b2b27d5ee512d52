"""The state of a search in the space of partitions that was stopped, and going on from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sfumato.errors import SettingsError
from sfumato.search.evaluation.evaluated_strings import EvaluatedStrings, unpack
from sfumato.search.evaluation.growing_volume import GrowingVolume
from sfumato.search.evaluation.packed_text import read_strings, write_strings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from sfumato.search.control import SearchControl
    from sfumato.search.problem import Problem


class StoppedStrings(NamedTuple):
    """Where a search was: all that its next step depends on, but the random generator."""

    evaluated: EvaluatedStrings
    population: list[bytes]
    volume: GrowingVolume
    done: int


def stopped_state(
    evaluated: EvaluatedStrings,
    population: Sequence[bytes],
    volume: GrowingVolume,
    *,
    done: int,
    rng: np.random.Generator,
) -> dict[str, object]:
    """Return all that the next step depends on, as JSON has it."""
    return {
        "done": done,
        "population": write_strings(population),
        "best": write_strings(dict.fromkeys(candidate.string for candidate in evaluated.best)),
        "evaluated": write_strings(sorted(evaluated.counted)),
        "scale": volume.record(),
        "random": dict(rng.bit_generator.state),
    }


def resumed_strings(
    problem: Problem, rng: np.random.Generator, control: SearchControl
) -> StoppedStrings:
    """Return where a search was stopped, and put the random generator there."""
    space = problem.partitions
    known = cast("Mapping[str, Any]", control.resume)
    try:
        population = read_strings(known["population"], space.bits)
        best = read_strings(known["best"], space.bits)
        evaluated = EvaluatedStrings(
            problem,
            space,
            threads=control.threads,
            earlier=read_strings(known["evaluated"], space.bits),
        )
        evaluated.evaluate(unpack([*population, *best], space.bits))
        volume = GrowingVolume.read(known["scale"], problem.directions)
        rng.bit_generator.state = known["random"]
        return StoppedStrings(evaluated, population, volume, int(known["done"]))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SettingsError(
            f"the state of the search was changed ({error}); start the search again"
        ) from None
