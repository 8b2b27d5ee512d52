"""The words of a report, explained to readers who have never anonymized a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word and what it means, in a sentence or two."""

    word: str
    meaning: str


WORDS = (
    Word(
        word="record",
        meaning="A row of the table: what is known of one person, or of one event of a person.",
    ),
    Word(
        word="quasi-identifiers",
        meaning="The columns that somebody could know about a person from elsewhere, for example "
        "age, postcode and sex. Together they point at people, so they are made coarser.",
    ),
    Word(
        word="sensitive attribute",
        meaning="A column that is private, for example a diagnosis. It is released, and nobody "
        "should learn whose value is whose.",
    ),
    Word(
        word="recoding",
        meaning="What is written in place of the values: age 37 becomes 35 to 40, postcode 24126 "
        "becomes 241 and anything after it.",
    ),
    Word(
        word="level",
        meaning="How coarse a column is made: at level 0 its values stay as they are, at the "
        "highest level all of them become one.",
    ),
    Word(
        word="equivalence class",
        meaning="The records that look alike in all quasi-identifiers after recoding. Somebody "
        "who knows a person well enough finds the class, and not which of its records it is.",
    ),
    Word(
        word="suppression",
        meaning="Leaving out records that are so rare that all others would have to become much "
        "coarser for them.",
    ),
    Word(
        word="policy",
        meaning="What the publisher requires of every released class. Nothing that misses it is "
        "released.",
    ),
    Word(
        word="objectives",
        meaning="The values that the search makes as good as possible. More of one mostly costs "
        "some of another.",
    ),
    Word(
        word="information loss",
        meaning="How much detail recoding and suppression take away: 0 % is the original table, "
        "100 % a table in which every quasi-identifier says nothing.",
    ),
    Word(
        word="Pareto-optimal",
        meaning="Said of a recoding: no other one is at least as good in all objectives and better "
        "in one. Choosing another one would give something away for nothing.",
    ),
    Word(
        word="front",
        meaning="All Pareto-optimal recodings together. It is exact if every possible recoding was "
        "evaluated, or proved not to belong to it.",
    ),
    Word(
        word="search",
        meaning="The method that looked for the front, and how many of the possible recodings it "
        "evaluated.",
    ),
    Word(
        word="knee",
        meaning="The point of the front with the best balance: from there, more of one objective "
        "costs much of another.",
    ),
    Word(
        word="flat region",
        meaning="A part of the front along which more privacy costs little information.",
    ),
    Word(
        word="unique records",
        meaning="Records whose combination of quasi-identifiers no other record has. They are the "
        "easiest to find.",
    ),
)
"""In the order in which they build on each other."""
