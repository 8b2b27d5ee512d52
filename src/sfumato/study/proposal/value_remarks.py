"""What about the values of a column should be looked at before a study is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors.listing import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.engines.messages.column_profile import ColumnProfile, Variants


def value_remarks(profile: ColumnProfile) -> tuple[str, ...]:
    """Return remarks on odd values and on several spellings of one value."""
    return (*_of_odd(profile), *_of_variants(profile.variants))


def _them(rows: int) -> str:
    return "it" if rows == 1 else "them"


def _of_odd(profile: ColumnProfile) -> Iterator[str]:
    if profile.odd:
        yield (
            f"{counted(profile.odd, 'row')} of {profile.present:,} "
            f"{'has' if profile.odd == 1 else 'have'} something that is no {profile.expected}, "
            f"unlike all others. Correct {_them(profile.odd)} in the data or list "
            "the texts as markers under [missing], and run init again: the column is then one of "
            f"{profile.expected}s."
        )


def _of_variants(variants: Variants | None) -> Iterator[str]:
    if variants is None:
        return
    parts = []
    if variants.spellings:
        parts.append(
            f"{counted(variants.spellings, 'value differs', 'values differ')} from another one in "
            "case, blanks, accents or signs only"
        )
    if variants.misspelt:
        parts.append(
            f"{counted(variants.misspelt, 'rare value looks', 'rare values look')} misspelt"
        )
    yield (
        f"{' and '.join(parts)} ({counted(variants.rows, 'row')}): each counts as a value of its "
        "own. Correct them in the data if they mean the same."
    )
