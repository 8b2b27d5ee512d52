"""Names for people who do not exist, with the signs that break careless readers of files.

Every list is in order of how common its names are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from tools.hospital.chance import happens, picks_of

if TYPE_CHECKING:
    from sfumato.arrays import Counts


def _listed(names: str) -> tuple[str, ...]:
    return tuple(names.split())


FEMALE_NAMES = _listed(
    """Anna Maria Emma Sofía Olivia Léa Ida Clara Zoë Julia Elena Nora Ava Mia Chloé Ella Grace
    Hannah Ingrid Anne-Kathrin Käthe Lucía Mathilde Nina Petra Renée Sara Teresa Ursula Vera
    Yasmin Zuzana Aïcha Birgit Carmen Dörte Edith Fatima Greta Hélène Irene Jana Katarína Lotte
    Margaret Noémie Olga Paula Ruth Signe Tove Wilhelmina Ximena Åse"""
)
MALE_NAMES = _listed(
    """Paul Peter Thomas José Lukas Noah Jan Karl Émile Leo Martin Oscar Adam Björn Daniel Erik
    Felix George Hugo Ivan Jörg Kurt Liam Marek Niels Otto Pedro René Samuel Tomáš Uwe Victor
    Walter Yusuf Zoltán Ahmed Benoît Cédric Dušan Edgar François Günter Håkon István Joaquín
    Klaus Luís Mário Nikolaj Øyvind Piotr Raúl Søren Théo"""
)
LAST_NAMES = _listed(
    """Müller Smith García Jensen Novák Martin Rossi Schmidt Brown Weber O'Brien Silva Fischer
    Nielsen López Dubois Wagner Jones Becker Hoffmann Svoboda Moreau Costa Schäfer Bauer Miller
    Koch D'Angelo Laurent Richter Klein Wolf Schröder Neumann Schwarz O'Neill Hansen Krüger
    Braun Werner Larsen Lange Lefèvre Krause Lehmann Köhler Maier Ferreira Walter Mayer
    Huber Kaiser Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Vogel Friedrich Keller Günther
    Frank Berger Winkler Roth Beck Lorenz Baumann Franke Albrecht Schuster Simon Ludwig Böhm
    Winter Kraus Vogt Stein Jäger Otto Sommer Groß Seidel Heinrich Brandt Haas Schreiber Graf
    Dietrich Ziegler Kuhn Kühn Pohl Engel Horn Busch Bergmann Voigt Sauer Arnold Pfeiffer
    McDonald D'Souza N'Diaye L'Écuyer O'Shea Nuñez Ibáñez Yılmaz Kovács Wójcik Łukaszewska Çelik
    Åkesson Bjørnstad Østergaard Štěpánek Žižka Ångström Ó'Dálaigh"""
)
DOUBLE_NAMES = ("van der Berg", "de la Cruz", "von Hohenfels", "St. John", "di Stefano")
NICKNAMES = ("Bo", "Mimi", "Teddy", "Kit", "Lou")


def draw_names(words: np.random.PCG64, female: Counts) -> list[str]:
    """Return names as clerks write them, "Müller, Zoë", one for each person.

    A few have a nickname in quotes, so that files must quote properly.
    """
    count = len(female)
    last_names = (*LAST_NAMES, *DOUBLE_NAMES)
    last = picks_of(words, count, _commonness(len(last_names)))
    first = {
        1: picks_of(words, count, _commonness(len(FEMALE_NAMES))),
        0: picks_of(words, count, _commonness(len(MALE_NAMES))),
    }
    called = happens(words, count, in_1000=3)
    nickname = picks_of(words, count, np.ones(len(NICKNAMES), dtype=np.int64))
    names = []
    for person in range(count):
        sex = int(female[person])
        given = (FEMALE_NAMES if sex else MALE_NAMES)[first[sex][person]]
        if called[person]:
            given = f'{given} "{NICKNAMES[nickname[person]]}"'
        names.append(f"{last_names[last[person]]}, {given}")
    return names


def _commonness(count: int) -> Counts:
    """Return weights that fall slowly, as those of names do."""
    return np.array([100_000 // (rank + 12) for rank in range(count)], dtype=np.int64)
