from sfumato_example.median import Median
from sfumato_example.random_search import METHOD, RandomSearchSettings
from sfumato_example.records_at_risk import RecordsAtRisk

from sfumato.testing.comparators import check_comparator
from sfumato.testing.measures import check_measure
from sfumato.testing.searches import check_search


def test_measure() -> None:
    check_measure(RecordsAtRisk())
    check_measure(RecordsAtRisk(k=2))


def test_search() -> None:
    check_search(METHOD, settings=RandomSearchSettings(draws=60))


def test_comparator() -> None:
    check_comparator(Median())
