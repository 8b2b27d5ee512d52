"""Every suppression policy in words, the same in a terminal and on a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sfumato.classes.suppression import Policy, Suppression, Threshold, limited
from sfumato.front.decisions.criterion import read_criterion
from sfumato.views.run.run_view import suppression_text


@pytest.mark.parametrize(
    ("suppression", "text"),
    [
        (Suppression(policy=Policy.NONE), "none"),
        (Suppression(policy=Policy.GIVEN_K, k=5), "every class of fewer than 5 records"),
        (
            Suppression(policy=Policy.BELOW_WEIGHTED_K),
            "every class smaller than the weighted-k of the recoding",
        ),
        (limited(0.05), "at most 15 records (5 %), smallest classes first"),
        (limited(1), "at most 1 record (0.333 %), smallest classes first"),
        (
            replace(limited(0.05), threshold=Threshold.EVERY),
            "at most 15 records (5 %), smallest classes first, all thresholds within it tried",
        ),
        (
            replace(limited(0.05), criteria=(read_criterion("k>=5"),)),
            "classes of fewer than 5 records, at most 15 records (5 %)",
        ),
        (
            replace(limited(0.05, threshold="every"), criteria=(read_criterion("k>=5"),)),
            "classes below a threshold of 5 records or more, at most 15 records (5 %), all "
            "thresholds within it tried",
        ),
    ],
)
def test_policies(suppression: Suppression, text: str) -> None:
    assert suppression_text(suppression, 300) == text


def test_sizes_of_classes_are_in_people_and_limits_in_records() -> None:
    own = replace(limited(0.05), criteria=(read_criterion("k>=5"),))
    expected = "classes of fewer than 5 people, at most 15 records (5 %)"
    assert suppression_text(own, 300, people=True) == expected
    given = Suppression(policy=Policy.GIVEN_K, k=1)
    assert suppression_text(given, 300, people=True) == "every class of fewer than 1 person"
