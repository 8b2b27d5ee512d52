"""The trees of the constrained columns of the Crossover paper: our own, and flatter ones.

The paper prints only that of work class, whose groups lie directly below the top. Its space has
"a size on the order of 2^42"; with the trees that come with Adult here it has 2^48, with the flat
ones below 2^41.6: a single level of groups everywhere, as in the tree that it prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sfumato.datasets.adult_file import hierarchy_path
from sfumato.hierarchies.builders.groups import Groups
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.hierarchies.hierarchy import TOP, Hierarchy

if TYPE_CHECKING:
    from collections.abc import Mapping

Trees = Literal["deep", "flat"]

WORKCLASS = Groups(
    levels=(
        {
            "Self-employed": ("Self-emp-inc", "Self-emp-not-inc"),
            "Government": ("Federal-gov", "State-gov", "Local-gov"),
            "Private": ("Private",),
            "Unemployed": ("Without-pay", "Never-worked"),
        },
    )
)
"""Fig. 2: 8 leaves, the last of which no complete row has, 7 bits and 9 valid strings."""

MERGED: Mapping[str, str] = {
    "Northern Europe": "Northern and Western Europe",
    "Western Europe": "Northern and Western Europe",
    "Southern Europe": "Southern and Eastern Europe",
    "Eastern Europe": "Southern and Eastern Europe",
    "South Central Asia": "Southern Asia",
    "South Eastern Asia": "Southern Asia",
}
"""The regions of our tree of countries that the flat one joins; the others stay as they are."""


def tree_of_column(name: str, trees: Trees) -> Groups | Hierarchy:
    """Return the tree of a column other than age."""
    if name == "workclass":
        return WORKCLASS
    tree = read_hierarchy_csv(hierarchy_path(name))
    return flattened(tree) if trees == "flat" else tree


def flattened(tree: Hierarchy) -> Hierarchy:
    """Return a tree with its first level of groups only, some regions joined.

    >>> tree = Hierarchy.from_rows([("a", "ab", "abc", "*"), ("b", "ab", "abc", "*")])
    >>> flattened(tree).labels
    (('a', 'b'), ('ab',), ('*',))
    """
    groups = [tree.labels[1][block] for block in tree.levels[1]]
    return Hierarchy.from_rows(
        [
            (value, MERGED.get(group, group), TOP)
            for value, group in zip(tree.domain.leaves, groups, strict=True)
        ]
    )
