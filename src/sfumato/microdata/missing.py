"""The treatment of missing values in the columns that are counted."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from sfumato.errors import SettingsError, shown

MISSING_LABEL = "(missing)"


class MissingPolicy(enum.StrEnum):
    """A category of its own, an error, or rows that are left out before anything is counted."""

    CATEGORY = "category"
    ERROR = "error"
    DROP = "drop"


@dataclass(frozen=True, kw_only=True)
class MissingValues:
    """How missing values are recognised and treated.

    Nulls (in CSV: empty fields) are always missing; ``markers`` adds texts that mean the same,
    like "?". Under ``category`` all missing values of a column are one category. A hierarchy
    can place it itself, by a leaf that is a marker or ``label``; otherwise the leaf ``label`` is
    added and joins the rest only at the top level. With ``count_as_value`` missing is one more
    sensitive value to the kinds of l-diversity; otherwise these count the known values alone.

    >>> MissingValues(markers=("?",)).policy
    <MissingPolicy.CATEGORY: 'category'>
    """

    policy: MissingPolicy = MissingPolicy.CATEGORY
    markers: tuple[str, ...] = ()
    label: str = MISSING_LABEL
    count_as_value: bool = False

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "policy", MissingPolicy(self.policy))
        except ValueError:
            raise SettingsError.unknown_choice("policy", self.policy, MissingPolicy) from None
        if isinstance(self.markers, str):
            raise SettingsError.wrong_setting(
                "markers", self.markers, f"a list like [{self.markers!r}]", code="not-a-list"
            )
        object.__setattr__(self, "markers", tuple(self.markers))
        for marker in self.markers:
            if not isinstance(marker, str):
                raise SettingsError(
                    f"a marker is {shown(marker)}",
                    code="not-a-text",
                    key="markers",
                    found=shown(marker),
                    expected="a text as the data have it, like '?'",
                    remedy="nulls are missing without being named",
                )
        if not isinstance(self.count_as_value, bool):
            raise SettingsError.wrong_setting(
                "count_as_value", self.count_as_value, "True or False", code="wrong-type"
            )
        if not isinstance(self.label, str) or not self.label:
            raise SettingsError(
                f"the label of missing values is {shown(self.label)}",
                code="not-a-text",
                key="label",
                found=shown(self.label),
                expected="a text like '(missing)'",
            )
