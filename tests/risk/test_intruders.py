"""What promises cover and what not, by intruders who try: the page on threats says the same.

Every release here keeps what it promises. Most of these intruders win all the same: they know more
than the promise assumes, or ask for something that it is not about.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.release import test_suppression_tells_nothing as missing_people
from tests.release.ledger.ledger_tables import BY_AGE, BY_PLACE, patients, together
from tests.release.ledger.ledger_tables import study_of as study_of_patients

import sfumato as sf
from sfumato.documents.own_seal import VARIABLE
from sfumato.errors import Notice
from sfumato.findings.kinds.singled_out_rows import SingledOutRows
from sfumato.hierarchies.ground_distance import HierarchicalDistance
from sfumato.release.received.release_check import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Row = tuple[str, str]


def study_of(rows: Sequence[Row], *criteria: str, **settings: object) -> sf.Study:
    """A street, which is a quasi-identifier, and an illness, which is sensitive."""
    return sf.Study(
        source=pd.DataFrame(rows, columns=["street", "illness"]),
        attributes=[
            sf.quasi_identifying("street", sf.Flat(values=("a", "b"))),
            sf.sensitive("illness"),
        ],
        require=criteria,
        **settings,  # type: ignore[arg-type]
    )


def released(study: sf.Study, path: Path, level: int = 0) -> dict[str, Counter[str]]:
    """Release at a level, and return what a reader counts: the illnesses of every class."""
    study.release({"street": level}, path, ledger=False)
    shown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with path.open(newline="") as stream:
        for row in csv.DictReader(stream):
            shown[row["street"]][row["illness"]] += 1
    return dict(shown)


def test_k_bounds_the_prosecutor_the_journalist_and_the_marketer(tmp_path: Path) -> None:
    """The table is a sample of a register: more people than rows can be meant, never fewer."""
    rows = [("a", "flu"), ("a", "gout")] * 3 + [("b", "flu"), ("b", "gout")] * 2
    register = Counter(street for street, _ in rows) + Counter(a=4, b=7)
    shown = released(study_of(rows, "k>=4"), tmp_path / "out.csv")
    sizes = {street: each.total() for street, each in shown.items()}
    prosecutor = max(1 / size for size in sizes.values())
    journalist = max(1 / register[street] for street in sizes)
    marketer = sum(size / register[street] for street, size in sizes.items()) / sum(sizes.values())
    assert prosecutor == 1 / 4
    assert marketer <= journalist < prosecutor


def test_frequency_l_bounds_the_best_guess(tmp_path: Path) -> None:
    rows = [("a", v) for v in ("flu", "flu", "gout", "hiv")] + [("b", v) for v in ("flu", "gout")]
    study = study_of(rows, "frequency-l>=2")
    shown = released(study, tmp_path / "out.csv")
    guesses = [max(each.values()) / each.total() for each in shown.values()]
    assert max(guesses) == 1 / 2 == 1 / study.audit(tmp_path / "out.csv").metrics["frequency-l"]


def test_homogeneity_is_not_covered_by_k(tmp_path: Path) -> None:
    rows = [("a", "flu")] * 5 + [("b", "flu"), ("b", "gout")] * 3
    shown = released(study_of(rows, "k>=5"), tmp_path / "out.csv")
    assert set(shown["a"]) == {"flu"}  # Whoever lives in a has flu.
    with pytest.raises(sf.UnmetError):
        released(study_of(rows, "k>=5", "distinct-l>=2"), tmp_path / "other.csv")


def test_background_knowledge_beyond_l_minus_one_values_is_not_covered(tmp_path: Path) -> None:
    """The intruder excludes l − 1 values, and one is left; l − 2 are not enough."""
    values = ("flu", "gout", "hiv")
    rows = [(street, value) for street in "ab" for value in values for _ in range(2)]
    shown = released(study_of(rows, "distinct-l>=3"), tmp_path / "out.csv")
    for illnesses in shown.values():
        for known in range(len(values)):
            for excluded in combinations(values, known):
                left = set(illnesses) - set(excluded)
                assert (len(left) == 1) == (known == len(values) - 1)


def test_skewness_is_not_covered_by_distinct_values(tmp_path: Path) -> None:
    rows = [("a", "hiv")] * 19 + [("a", "flu")] + [("b", "flu")] * 379 + [("b", "hiv")]
    study = study_of(rows, "distinct-l>=2", statements="illness = hiv")
    shown = released(study, tmp_path / "out.csv")
    prior = 20 / len(rows)
    assert shown["a"]["hiv"] / shown["a"].total() == pytest.approx(19 * prior)
    # Shares of values and distances to the whole table tell it.
    metrics = study.audit(tmp_path / "out.csv").metrics
    assert metrics["secure"] == 1
    assert metrics["frequency-l"] < 1.01
    assert metrics["t"] > 0.89


def test_similarity_is_not_covered_by_any_l(tmp_path: Path) -> None:
    """Three values, all of the stomach: no kind of l sees it, and t does only by a hierarchy."""
    stomach, lungs = ("ulcer", "gastritis", "cancer"), ("flu", "asthma", "cold")
    groups = sf.Groups(levels=[{"stomach": stomach, "lungs": lungs}]).build([], column="illness")
    found: dict[tuple[str, str], float] = {}
    for tables, first in (("similar", stomach), ("mixed", (*stomach[:2], lungs[0]))):
        second = tuple(value for value in (*stomach, *lungs) if value not in first)
        rows = [("a", value) for value in first] + [("b", value) for value in second]
        for name, distance in (("equal", None), ("tree", HierarchicalDistance(hierarchy=groups))):
            study = sf.Study(
                source=pd.DataFrame(rows, columns=["street", "illness"]),
                attributes=[
                    sf.quasi_identifying("street", sf.Flat(values=("a", "b"))),
                    sf.sensitive("illness", ground_distance=distance),
                ],
            )
            path = tmp_path / f"{tables} {name}.csv"
            assert set(released(study, path)["a"]) == set(first)
            metrics = study.audit(path).metrics
            assert metrics["distinct-l"] == metrics["frequency-l"] == metrics["p-sensitive"] == 3
            assert metrics["entropy-l"] == pytest.approx(3)
            found[tables, name] = metrics["t"]
    assert found["similar", "equal"] == found["mixed", "equal"]
    assert found["similar", "tree"] == pytest.approx(1 / 2)
    assert found["mixed", "tree"] == pytest.approx(1 / 3)


def test_minimality_is_not_covered(tmp_path: Path) -> None:
    """Who knows the rule rules out all tables of which the finer recoding would be released.

    Two people live in a, four in b, and two of the six are positive. The release says no more.
    """
    streets = ("a", "a", "b", "b", "b", "b")

    def chosen(positive: Sequence[int]) -> int:
        rows = [(s, "pos" if n in positive else "neg") for n, s in enumerate(streets)]
        study = study_of(
            rows, "k>=2", "secure", statements="illness = pos", objectives=["k", "loss"]
        )
        best = min(study.search().front, key=lambda solution: solution.values["loss"])
        return best.levels["street"]

    rows = [(s, "pos" if n < 2 else "neg") for n, s in enumerate(streets)]
    assert chosen((0, 1)) == 1
    study = study_of(rows, "k>=2", "secure", statements="illness = pos")
    (illnesses,) = released(study, tmp_path / "out.csv", level=1).values()
    assert illnesses == {"pos": 2, "neg": 4}
    possible = [pair for pair in combinations(range(6), 2) if chosen(pair) == 1]
    assert possible == [(0, 1)]  # Both who live in a are positive.


def test_membership_is_not_covered(tmp_path: Path) -> None:
    """A register with as many people as a class has: all of them are in the table."""
    rows = [("a", "flu"), ("a", "gout")] * 3 + [("b", "flu"), ("b", "gout")] * 2
    register = Counter(street for street, _ in rows) + Counter(b=7)
    shown = released(study_of(rows, "k>=4", "distinct-l>=2"), tmp_path / "out.csv")
    share = {street: shown[street].total() / people for street, people in register.items()}
    assert share["a"] == 1  # And of those in b, four of eleven.
    assert share["b"] == pytest.approx(4 / 11)


def test_the_number_of_suppressed_rows_is_not_hidden_from_who_knows_the_sample(
    tmp_path: Path,
) -> None:
    rows = [("a", "flu"), ("a", "gout")] * 3 + [("b", "hiv")]
    study = study_of(rows, "k>=2", suppression=sf.limited(1))
    shown = released(study, tmp_path / "out.csv")
    assert len(rows) - sum(each.total() for each in shown.values()) == 1
    # With the prevalence in the sample, which may be in a paper, this is the value of the one.
    prevalence = Counter(illness for _, illness in rows)
    assert prevalence - sum(shown.values(), Counter()) == {"hiv": 1}


def test_payload_columns_are_not_covered_and_are_found(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"street": ["a", "b"] * 20, "cost": [str(100 + n) for n in range(40)], "ill": ["x"] * 40}
    )
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("street", sf.Flat()),
            sf.insensitive("cost"),
            sf.sensitive("ill"),
        ],
    )
    release = study.release({"street": 0}, tmp_path / "out.csv", ledger=False)
    assert release.metrics["k"] == 20
    assert set(Counter(pd.read_csv(tmp_path / "out.csv")["cost"]).values()) == {1}
    assert SingledOutRows.name in [finding.code for finding in release.findings]


def test_a_silent_certificate_does_not_protect_who_was_suppressed_by_a_criterion(
    tmp_path: Path,
) -> None:
    """The criterion is not in the certificate, and the intruder guesses it."""
    asked = missing_people.study(sf.limited(9, failing=True), ["k>=3", "secure"])
    path = tmp_path / "six.csv"
    with pytest.warns(Notice):
        asked.release({"age": 1, "town": 0}, path, ledger=False)
    assert missing_people.confirmed(path) == set()
    assert missing_people.confirmed(path, guessed=True) == missing_people.POSITIVE


def test_the_ledger_of_another_user_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of_patients(patients())
    study.release(BY_AGE, tmp_path / "first.csv")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "of another user"))
    assert together(study.release(BY_PLACE, tmp_path / "second.csv")).earlier == ()


def test_what_was_forgotten_is_not_asked(tmp_path: Path) -> None:
    study = study_of_patients(patients())
    study.release(BY_AGE, tmp_path / "first.csv")
    ledger = sf.Ledger.opened()
    (entry,) = ledger.entries()
    ledger.forget(entry.id)
    assert together(study.release(BY_PLACE, tmp_path / "second.csv")).earlier == ()


def test_many_new_rows_without_a_person_key_are_not_recognized(tmp_path: Path) -> None:
    """Nearly all of the few combinations have other numbers of rows then."""

    def release(rows: int, name: str, *, person: bool) -> sf.Release:
        table = patients(rows=rows).assign(zip="2400")
        table["age"] = table["age"].str[0] + "0"
        levels = {"age": 0, "zip": 0, "sex": 0}
        return study_of_patients(table, person=person).release(levels, tmp_path / name)

    release(600, "first.csv", person=False)
    assert together(release(900, "second.csv", person=False)).earlier == ()
    release(600, "third.csv", person=True)
    assert together(release(900, "fourth.csv", person=True)).earlier


def test_a_mean_tells_the_last_value_to_who_knows_all_others(tmp_path: Path) -> None:
    table = pd.DataFrame({"age": ["20", "25", "39"], "ill": ["x", "y", "z"]})
    ages = sf.Intervals(widths=(20,), low=20, high=39)
    study = sf.Study(
        source=table, attributes=[sf.quasi_identifying("age", ages), sf.sensitive("ill")]
    )
    study.release({"age": 1}, tmp_path / "out.csv", values="microaggregated", ledger=False)
    (mean,) = set(pd.read_csv(tmp_path / "out.csv")["age"])
    assert 3 * mean - 20 - 25 == 39


def test_both_ends_of_a_local_interval_are_values_of_somebody(tmp_path: Path) -> None:
    table = patients(rows=120)
    study = sf.Study(
        source=table,
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(widths=(10,), low=0, high=99)),
            sf.insensitive("zip"),
            sf.insensitive("sex"),
            sf.sensitive("illness"),
        ],
        criteria=["k>=5"],
        space="local",
    )
    solution = study.search(method="peeling").front[0]
    study.release(solution, tmp_path / "out.csv", ledger=False)
    labels = set(pd.read_csv(tmp_path / "out.csv", dtype=str)["age"])
    ends = {end for label in labels for end in re.findall(r"\d+", label)}
    assert any("," in label for label in labels)
    assert ends <= set(table["age"])


def test_an_older_signed_release_stays_valid(tmp_path: Path) -> None:
    """Nothing recalls a release: its signature says whose it is, not that it is the last."""
    key = sf.SigningKey.made()
    study = study_of_patients(patients())
    study.release(BY_PLACE, tmp_path / "first.csv", sign=key)
    study.release({**BY_PLACE, "zip": 2}, tmp_path / "second.csv", sign=key)
    first = tmp_path / "first.csv"
    certificate = tmp_path / "first.csv.certificate.json"
    assert sf.verify_release(first, certificate, public_key=key.public).intact


def test_without_a_signature_anybody_certifies_another_table(tmp_path: Path) -> None:
    """Whoever forges rows has sfumato, too: only the key tells whose release it is."""
    forged = study_of_patients(patients(seed=7)).release(BY_AGE, tmp_path / "out.csv", ledger=False)
    assert sf.verify_release(forged.path, forged.certificate_path).intact
    key = sf.SigningKey.made().public
    check = sf.verify_release(forged.path, forged.certificate_path, public_key=key)
    assert check.faults == (Fault.NOT_SIGNED,)


def test_minimality_tells_who_is_in_the_table_though_only_k_is_asked() -> None:
    """Two people of the register live in a, four in b; the release has five rows of some street.

    Had both of a been in the table, streets would have been shown. So one of a is in it, and all
    of b.
    """

    def chosen(rows: Sequence[Row]) -> int:
        front = study_of(rows, "k>=2", objectives=["k", "loss"]).search().front
        return min(front, key=lambda solution: solution.values["loss"]).levels["street"]

    register = ("a", "a", "b", "b", "b", "b")
    samples = [[register[n] for n in kept] for kept in combinations(range(6), 5)]
    possible = [s for s in samples if chosen([(street, "flu") for street in s]) == 1]
    assert possible
    assert all(sample.count("b") == 4 for sample in possible)


def test_a_bound_of_t_tells_of_suppressed_people(tmp_path: Path) -> None:
    """t compares with all rows, so that the value of who is missing decides what is released."""
    kept = [("a", v) for v in ["pos"] * 6 + ["neg"] * 4]
    kept += [("b", v) for v in ["pos", "neg"] * 5]

    def is_released(missing: str) -> bool:
        study = sf.Study(
            source=pd.DataFrame([*kept, ("c", missing)], columns=["street", "illness"]),
            attributes=[
                sf.quasi_identifying("street", sf.Flat(values=("a", "b", "c"))),
                sf.sensitive("illness"),
            ],
            require=["k>=2", "t<=0.073"],
            suppression=sf.limited(1),
        )
        try:
            study.release({"street": 0}, tmp_path / f"{missing}.csv", ledger=False)
        except sf.UnmetError:
            return False
        return True

    assert [value for value in ("pos", "neg") if is_released(value)] == ["pos"]


def test_who_knows_one_sensitive_value_reads_the_others(tmp_path: Path) -> None:
    """Every sensitive column has its l by itself; rows show both together."""
    values = [("fall", "hip"), ("fever", "hiv"), ("cough", "asthma")]
    study = sf.Study(
        source=pd.DataFrame(
            [("a", *pair) for pair in values * 2], columns=["street", "reason", "illness"]
        ),
        attributes=[
            sf.quasi_identifying("street", sf.Flat()),
            sf.sensitive("reason"),
            sf.sensitive("illness"),
        ],
        require=["distinct-l>=3", "frequency-l>=3"],
    )
    study.release({"street": 0}, tmp_path / "out.csv", ledger=False)
    shown = pd.read_csv(tmp_path / "out.csv")
    assert set(shown[shown["reason"] == "fever"]["illness"]) == {"hiv"}


def test_most_rows_of_a_class_can_be_of_one_person(tmp_path: Path) -> None:
    rows = [("p0", "a", "hiv")] * 16
    rows += [(f"p{n}", "a", "flu" if n % 2 else "gout") for n in range(1, 5)]
    study = sf.Study(
        source=pd.DataFrame(rows, columns=["who", "street", "illness"]),
        attributes=[
            sf.identifying("who", person=True),
            sf.quasi_identifying("street", sf.Flat()),
            sf.sensitive("illness"),
        ],
        require=["k>=5", "frequency-l>=2"],
    )
    study.release({"street": 0}, tmp_path / "out.csv", ledger=False)
    # A row that is picked by chance is hers four times out of five.
    assert Counter(pd.read_csv(tmp_path / "out.csv")["illness"])["hiv"] == 16


def test_values_of_many_new_people_are_the_difference_of_two_releases(tmp_path: Path) -> None:
    """As many as k are new in a class, and all have one value: nothing is counted or refused."""
    old = [(f"p{n}", "a", ("flu", "gout")[n % 2]) for n in range(200)]
    new = [(f"n{n}", "a", "hiv") for n in range(5)]

    def released_rows(rows: Sequence[tuple[str, str, str]], name: str) -> sf.Release:
        study = sf.Study(
            source=pd.DataFrame(rows, columns=["who", "street", "illness"]),
            attributes=[
                sf.identifying("who", person=True),
                sf.quasi_identifying("street", sf.Flat(values=("a", "b"))),
                sf.sensitive("illness"),
            ],
            require=["k>=5", "distinct-l>=2"],
        )
        return study.release({"street": 0}, tmp_path / name)

    released_rows(old, "first.csv")
    second = released_rows(old + new, "second.csv")
    (earlier,) = together(second).earlier
    assert earlier.changed == 0
    counts = [Counter(pd.read_csv(tmp_path / f)["illness"]) for f in ("first.csv", "second.csv")]
    assert counts[1] - counts[0] == {"hiv": 5}


def test_a_member_of_a_class_knows_more_of_it(tmp_path: Path) -> None:
    """The intruder is one of the five, knows their own value, and reads that of the others."""
    rows = [("a", "hiv")] + [("a", "flu")] * 4 + [("b", "flu"), ("b", "gout")] * 3
    study = study_of(rows, "k>=5", "distinct-l>=2", "secure", statements="illness = flu")
    shown = released(study, tmp_path / "out.csv")
    assert shown["a"] - Counter(["hiv"]) == {"flu": 4}


def test_a_class_can_be_one_family(tmp_path: Path) -> None:
    """Five people with one address and one inherited illness: k = 5, and one household."""
    rows = [("h0", "a", "huntington")] * 5
    rows += [(f"h{n}", "b", ("flu", "gout")[n % 2]) for n in range(1, 7)]

    def study(*, person: bool) -> sf.Study:
        return sf.Study(
            source=pd.DataFrame(rows, columns=["household", "street", "illness"]),
            attributes=[
                sf.identifying("household", person=person),
                sf.quasi_identifying("street", sf.Flat()),
                sf.sensitive("illness"),
            ],
            require=["k>=5"],
        )

    study(person=False).release({"street": 0}, tmp_path / "out.csv", ledger=False)
    shown = pd.read_csv(tmp_path / "out.csv")
    assert list(shown[shown["street"] == "a"]["illness"]) == ["huntington"] * 5
    # A key of households counts them, and refuses it.
    with pytest.raises(sf.UnmetError):
        study(person=True).release({"street": 0}, tmp_path / "other.csv", ledger=False)


def test_a_limit_bounds_how_many_are_missing(tmp_path: Path) -> None:
    """The smallest classes go while they fit: one more size would have been too many."""
    rows = [(f"s{n}", "hiv") for n in range(4)] + [("a", "flu")] * 2 + [("b", "flu")] * 9
    streets = tuple(dict.fromkeys(street for street, _ in rows))
    study = sf.Study(
        source=pd.DataFrame(rows, columns=["street", "illness"]),
        attributes=[
            sf.quasi_identifying("street", sf.Flat(values=streets)),
            sf.sensitive("illness"),
        ],
        suppression=sf.limited(4),
    )
    release = study.release({"street": 0}, tmp_path / "out.csv", ledger=False)
    limit = json.loads(release.certificate_path.read_text())["suppression"]["limit"]
    sizes = Counter(pd.read_csv(tmp_path / "out.csv")["street"]).values()
    of_least_size = sum(size for size in sizes if size == min(sizes))
    possible = [n for n in range(len(rows)) if n <= limit < n + of_least_size]
    assert possible == [3, 4]
    assert release.suppressed in possible
