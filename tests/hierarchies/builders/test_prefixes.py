from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.raised import raises

from sfumato.errors import HierarchyError, SettingsError
from sfumato.hierarchies.builders import Prefixes


def test_zip_codes() -> None:
    zips = Prefixes(length=5).build(["24126", "24127", "25000"], column="zip")
    assert zips.labels == (
        ("24126", "24127", "25000"),
        ("2412*", "2500*"),
        ("241**", "250**"),
        ("24***", "25***"),
        ("2****",),
        ("*",),
    )


def test_chosen_prefix_lengths() -> None:
    zips = Prefixes(keep=[3, 1]).build(["24126", "24127", "25000"], column="zip")
    assert zips.labels[1:] == (("241*", "250*"), ("2*",), ("*",))


def test_unequal_lengths_have_one_mask() -> None:
    codes = Prefixes().build(["J45", "J45.1", "E1"], column="icd")
    assert codes.labels[2] == ("E1", "J45*")
    assert codes.labels[3] == ("E1*", "J4*")


def test_a_longer_value_changes_no_label_of_others() -> None:
    zips = ["24126", "24127", "25000"]
    short = Prefixes().build(zips, column="zip")
    long = Prefixes().build([*zips, "1000000"], column="zip")
    for level in range(1, short.height + 1):
        named = {short.labels[level][block] for block in short.levels[level].tolist()}
        assert named <= set(long.labels[level + long.height - short.height])


def test_a_masked_code_needs_declared_levels() -> None:
    """Its level would have to be told, and the longest code decides its number."""
    codes = ["24126", "241*"]
    with raises(HierarchyError, code="masked-value", column="zip", found="'241*'"):
        Prefixes().build(codes, column="zip")
    levels = Prefixes(keep=(3,)).build(codes, column="zip").height
    assert levels == Prefixes(keep=(3,)).build([*codes, "1000000"], column="zip").height


def test_declared_values_count() -> None:
    zips = Prefixes(values=["99", "24", "25"])
    assert zips.build(["24"], column="zip").leaf_count == 3
    assert zips.build([], column="zip").domain.leaves == ("24", "25", "99")
    with raises(HierarchyError, code="value-not-in-hierarchy", column="zip"):
        zips.build(["26"], column="zip")


@given(st.lists(st.text("ab*", min_size=0, max_size=4), min_size=1, max_size=12, unique=True))
def test_labels_are_the_masked_prefixes(values: list[str]) -> None:
    longest = max(map(len, values))
    padded = Prefixes(values=values).build(values, column="code")
    hierarchies = [padded]
    if any(value.endswith("*") for value in values):
        with raises(HierarchyError, code="masked-value", column="code"):
            Prefixes().build(values, column="code")
    else:
        hierarchies.append(Prefixes().build(values, column="code"))
    for hierarchy in hierarchies:
        for value, leaf in zip(values, hierarchy.locate(values).tolist(), strict=True):
            for level in range(1, hierarchy.height):
                label = hierarchy.labels[level][hierarchy.levels[level][leaf]]
                prefix = value[: longest - level]
                if hierarchy is padded:
                    assert label == prefix.ljust(longest, "*")
                else:
                    assert label == (prefix + "*" if len(prefix) == longest - level else prefix)


def test_errors_teach() -> None:
    with raises(SettingsError, code="out-of-range", key="length", found="0"):
        Prefixes(length=0)
    for keep in [(), (1, 3), (3, 3), (2, 0)]:
        with raises(SettingsError, code="wrong-order", key="keep", found=str(keep)):
            Prefixes(keep=keep)
    with raises(HierarchyError, code="wrong-length", column="zip", key="length", found="5"):
        Prefixes(length=5).build(["1234", "12345", "123456"], column="zip")
    with raises(
        HierarchyError, code="out-of-range", column="zip", key="keep", expected="at most 4"
    ):
        Prefixes(keep=(5, 3)).build(["12345"], column="zip")
    with raises(HierarchyError, code="no-values", column="zip"):
        Prefixes().build([], column="zip")
