"""The text of a proposed study file, with comments to edit it by.

The file may lie around. It shows no value of an identifying or sensitive column, and of the
others only values that several rows have and that a person needs to group them.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from sfumato.engines.messages.column_profile import SHOWN_FROM
from sfumato.errors.listing import counted, listed
from sfumato.microdata.roles import Role
from sfumato.statements.predicate import word_text
from sfumato.study.file.study_schema import SCHEMA_NAME
from sfumato.study.file.toml_text import document_text, key_text, string_text, value_text
from sfumato.study.proposal.proposed_roles import category_count, missing_markers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.study.file.toml_text import TomlValue
    from sfumato.study.proposal.proposal import Proposal, ProposedColumn

WIDTH = 98
MOST_GROUPED = 30
"""Up to this many values a hierarchy is easily written in the study file itself."""
_GROUP_SIZE = 4

_HEAD = """\
This is a proposal, made from the names and the shapes of the columns. Only you know what others \
may know about the people in this table: read every column below, and change what is wrong.

  identifying        tells who someone is: names, numbers, addresses; not released
  quasi-identifying  what others may know about a person; coarsened along its hierarchy
  sensitive          what must not be learnt about a person; released as it is, and measured
  insensitive        released as it is, and not looked at
"""


def study_template(
    proposal: Proposal, *, source: Mapping[str, TomlValue], title: str, command: str
) -> str:
    """Return the text of a study file; ``source`` is its table of that name.

    ``title`` is how its head calls the table, ``command`` what to run when the file is
    edited.
    """
    return "\n".join([*_head(proposal, title, command), *_body(proposal, source)])


def _head(proposal: Proposal, title: str, command: str) -> Iterator[str]:
    size = f"{counted(proposal.rows, 'row')}, {counted(len(proposal.columns), 'column')}"
    yield f"#:schema {SCHEMA_NAME}"
    yield from _comment(f"A study of {_plain(title)}: {size}.")
    yield from _comment("")
    for paragraph in _HEAD.splitlines():
        yield from _comment(paragraph)
    yield from _comment("")
    quasi = proposal.of_role(Role.QUASI_IDENTIFYING)
    if quasi:
        yield from _comment(
            f"{counted(len(quasi), 'quasi-identifying column')}: a search chooses from "
            f"{counted(proposal.lattice, 'recoding')}. When the file is right:"
        )
    else:
        yield from _comment(
            "No column looks quasi-identifying. A study needs one at least: give the role to what "
            "others may know, and a hierarchy with it. When the file is right:"
        )
    yield from _comment("")
    yield f"#   {_plain(command)}"
    yield ""


def _body(proposal: Proposal, source: Mapping[str, TomlValue]) -> Iterator[str]:
    yield document_text({"source": source})
    for column in proposal.columns:
        yield from _column(column)
        yield ""
    if not proposal.of_role(Role.SENSITIVE):
        yield from _comment(
            "No column looks sensitive. If there is one that must not be learnt about a person, "
            'such as a diagnosis or an income, give it role = "sensitive", and leave out its '
            "hierarchy."
        )
        yield ""
    yield from _statements(proposal)
    yield from _missing(proposal)
    yield "# Rows in the smallest classes may be left out of the release, up to this share."
    yield document_text({"suppression": {"policy": "limit", "limit": 0.01}})
    yield from _search(proposal)


def _column(column: ProposedColumn) -> Iterator[str]:
    yield from _comment(
        f"{_counts(column.profile)} Why {column.role.value}: {column.proposed.reason}."
    )
    for remark in column.remarks:
        yield from _comment(remark)
    yield f"[columns.{key_text(column.name)}]"
    yield f"role = {string_text(column.role.value)}"
    if column.person:
        yield "person = true  # privacy counts people, not rows"
    variants = column.profile.variants
    if column.role is Role.SENSITIVE and variants is not None and variants.spellings:
        yield "# normalize = true  # spellings of one value count once, and are released as one"
    numbers = column.profile.numbers
    if column.role is Role.SENSITIVE and numbers is not None and numbers.style.is_plain:
        yield '# distance = "ordered"  # for the measure t: values near each other tell as much'
    if column.hierarchy is not None:
        yield from _comment(f"Levels: {column.hierarchy.in_words}")
        if "groups" in column.hierarchy.settings:
            yield from _groups(column)
            return
        yield f"hierarchy = {column.hierarchy}"
        if "flat" in column.hierarchy.settings:
            yield from _grouping(column.profile)


def _groups(column: ProposedColumn) -> Iterator[str]:
    """Yield groups as tables, so that each group has its own line."""
    assert column.hierarchy is not None
    table = f"columns.{key_text(column.name)}.hierarchy"
    settings = dict(column.hierarchy.settings)
    levels = settings.pop("groups")
    assert isinstance(levels, list)
    if settings:
        yield f"[{table}]"
        yield from (f"{key_text(key)} = {value_text(value)}" for key, value in settings.items())
    for number, level in enumerate(levels, start=1):
        yield f"[[{table}.groups]]  # level {number}"
        yield from (
            f"{key_text(label)} = {value_text(members)}" for label, members in level.items()
        )


def _counts(profile: ColumnProfile) -> str:
    count = category_count(profile)
    about = "" if profile.distinct_exact else "about "
    values = counted(count if profile.distinct_exact else _rounded(count), "value")
    markers = dict(profile.markers)
    gaps = profile.missing + sum(markers[marker] for marker in missing_markers(profile))
    missing = f"missing in {counted(gaps, 'row')}" if gaps else "none missing"
    return f"{about}{values}, {missing}.".capitalize()


def _rounded(count: int) -> int:
    """Return an estimate to as many digits as it is true.

    >>> _rounded(4_991_872)
    4990000
    """
    return round(count, 3 - len(str(count)))


def _grouping(profile: ColumnProfile) -> Iterator[str]:
    """Yield how values are grouped, by an example with those that several rows have."""
    odd = [
        (text, rows)
        for text, rows in profile.markers
        if text not in missing_markers(profile) and rows >= SHOWN_FROM
    ]
    values = sorted(text for text, _ in (*profile.frequent, *odd))
    count = category_count(profile)
    if count < 3 or not values:
        return
    if count > MOST_GROUPED:
        yield from _comment(
            "Released as it is or not at all. To coarsen it step by step, write a file with a line "
            f"for each of the {count:,} values, such as {string_text(f'{values[0]};its group;*')}, "
            "and name it in place of the line above:"
        )
        file = f"hierarchies/{''.join(c if c.isalnum() else '-' for c in profile.name)}.csv"
        yield f"# hierarchy = {string_text(file)}"
        return
    hidden = count - len(values)
    rest = f" and the {counted(hidden, 'value')} too rare to be shown here" if hidden else ""
    yield from _comment(
        "Released as it is or not at all. To coarsen it step by step, put these values"
        f"{rest} into groups of your own, each into one, in place of the line above:"
    )
    size = _GROUP_SIZE if len(values) > 2 * _GROUP_SIZE else -(-len(values) // 2)
    groups = {
        f"group {number}": values[start : start + size]
        for number, start in enumerate(range(0, len(values), size), start=1)
    }
    yield f"# hierarchy = {value_text({'groups': [groups]})}"


def _statements(proposal: Proposal) -> Iterator[str]:
    sensitive = proposal.of_role(Role.SENSITIVE)
    if not sensitive:
        return
    yield from _comment(
        "Is only some of it confidential, or only for some people? Say what nobody may be known to "
        "have, and ask for the measures secure and sf (docs/confidential-statements.md):"
    )
    yield "# [[statements]]"
    protect = f'{word_text(sensitive[0].name)} = "some value"'
    plain = "'" not in protect and protect.isprintable()
    yield "# protect = " + (f"'{protect}'" if plain else string_text(protect))
    yield ""


def _missing(proposal: Proposal) -> Iterator[str]:
    if proposal.markers:
        yield from _comment(
            "Empty fields are missing values, and so are these texts, in all columns. Take out "
            "those that are real values here."
        )
        yield document_text({"missing": {"policy": "category", "markers": proposal.markers}})


def _search(proposal: Proposal) -> Iterator[str]:
    yield from _comment(
        "What to weigh: k is the size of the smallest class of people who look alike, "
        "normalized-loss says how much detail is given up, from 0 to 1."
    )
    diverse = bool(proposal.of_role(Role.SENSITIVE))
    if diverse:
        yield from _comment(
            "distinct-l is the least number of different sensitive values in a class. Others are "
            "frequency-l, entropy-l and t."
        )
    objectives = ["k", *(["distinct-l"] if diverse else []), "normalized-loss"]
    yield document_text({"search": {"method": "auto", "objectives": objectives, "seed": 1}})
    yield from _comment(
        "The policy: nothing is released that misses it, and a search looks among recodings that "
        "meet it. Agree on it with whoever answers for the data."
    )
    two = [c.name for c in proposal.of_role(Role.SENSITIVE) if category_count(c.profile) <= 2]
    if two:
        yield from _comment(
            f"distinct-l>=2 is not required: {listed(two)} has two values at most, so that every "
            "class would need both, which costs much. Add it if nobody may be known to have one "
            "of them."
        )
    required = ["k>=5", *(["distinct-l>=2"] if diverse and not two else [])]
    yield document_text({"release": {"require": required}})


def _comment(text: str) -> Iterator[str]:
    if text.startswith("  ") or not text:
        yield f"# {text}".rstrip()
        return
    for line in textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"


def _plain(text: str) -> str:
    """Return a text without characters that would end a comment or are not allowed in one."""
    return "".join(character if character.isprintable() else " " for character in text)


def is_proposed(text: str) -> bool:
    """Say whether the text of a study file begins as proposals do."""
    return text.startswith(f"#:schema {SCHEMA_NAME}\n")
