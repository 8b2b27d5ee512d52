"""The tables of a risk as texts, which terminals and pages show alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.risk.assessment.risk_distribution import band_names
from sfumato.risk.identifying.column_subsets import ranked
from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.risk.identifying.column_subsets import IdentifyingSubset
    from sfumato.views.risk_view import RiskFigures, RiskView, TableRiskView, UniquesView

MOST_SUBSETS = 12

Row = tuple[str, ...]


def risk_text(risk: float) -> str:
    """Return a risk in percent.

    >>> risk_text(0.2), risk_text(1.0)
    ('20 %', '100 %')
    """
    return share_text(risk, 1)


def figure_rows(view: RiskView) -> list[Row]:
    """Return the risks of intruders, a row for each and a column for each table."""
    who = "people" if view.counts_people else "rows"
    rows = [
        _row(view, "prosecutor: highest", lambda side: risk_text(side.prosecutor.highest)),
        _row(
            view,
            f"prosecutor: {who} with the highest",
            lambda side: f"{side.prosecutor.at_highest:,}",
        ),
        _row(view, "prosecutor: mean", lambda side: risk_text(side.prosecutor.mean)),
        *(
            _row(view, f"prosecutor: {who} above {each}", _above(each, _prosecutor))
            for each in view.thresholds
        ),
    ]
    if any(side.suppressed for side in view.sides) and not view.counts_people:
        rows.append(
            _row(
                view,
                "prosecutor: mean, suppressed rows counted",
                lambda side: _or_none(side.whole_table_mean, risk_text),
            )
        )
    if any(side.journalist for side in view.sides):
        rows += [
            _row(view, "journalist: highest", _of_journalist(lambda f: risk_text(f.highest))),
            *(
                _row(view, f"journalist: {who} above {each}", _above(each, _journalist))
                for each in view.thresholds
            ),
            _row(view, "marketer: mean", lambda side: _or_none(side.marketer, risk_text)),
        ]
    if any(side.individual for side in view.sides):
        rows += [
            _row(
                view,
                "journalist, estimated: highest",
                lambda side: "–" if side.individual is None else risk_text(side.individual.highest),
            ),
            _row(
                view,
                "marketer, estimated: mean",
                lambda side: "–" if side.individual is None else risk_text(side.individual.mean),
            ),
            _row(
                view,
                "marketer, estimated: expected right links",
                lambda side: "–" if side.individual is None else f"{side.individual.expected:,.1f}",
            ),
        ]
    return rows


def band_rows(view: RiskView) -> list[Row]:
    """Return how many are in classes of each band of sizes, with their share."""
    return [
        (
            band,
            *(
                f"{side.prosecutor.by_band[place]:,} "
                f"({share_text(side.prosecutor.by_band[place], max(1, side.prosecutor.everybody))})"
                for side in view.sides
            ),
        )
        for place, band in enumerate(band_texts())
    ]


def band_texts() -> tuple[str, ...]:
    """Return the bands of class sizes with their risks."""
    return tuple(f"{band} (risk {_band_risk(band)})" for band in band_names())


def _band_risk(band: str) -> str:
    """Return the risks of a band of class sizes.

    >>> _band_risk("1"), _band_risk("3 to 4"), _band_risk("100 or more")
    ('100 %', '25 % to 33 %', 'up to 1 %')
    """
    sizes = [int(word) for word in band.split() if word.isdigit()]
    percents = [f"{100 / size:.2g}" if size > 1 else "100" for size in sizes]
    if band.endswith("more"):
        return f"up to {percents[0]} %"
    return f"{percents[0]} %" if len(sizes) == 1 else f"{percents[1]} % to {percents[0]} %"


def population_rows(view: RiskView) -> list[Row]:
    """Return the estimates of how many people are unique in the population; none without them."""
    if not any(side.uniques for side in view.sides):
        return []
    return [
        _row(view, "sampling fraction", _of_uniques(lambda each: risk_text(each.fraction))),
        _row(
            view,
            "unique in the population (estimate)",
            _of_uniques(lambda each: f"{each.uniques:,.0f} ({each.chosen})"),
        ),
        _row(view, "share of the population", _of_uniques(lambda each: risk_text(each.share))),
        _row(view, "interval", _of_uniques(_interval)),
        *(
            _row(view, f"by {name}", _of_uniques(_model(name)))
            for name in ("pitman", "zayatz", "slide-negative-binomial")
        ),
    ]


def subset_rows(view: RiskView, *, most: int = MOST_SUBSETS) -> list[Row]:
    """Return how identifying columns are: unique rows, distinction, separation, for each table."""
    by_columns = [{each.columns: each for each in side.subsets} for side in view.sides]
    return [
        (
            " + ".join(each.columns),
            *(text for found in by_columns for text in _subset_texts(found.get(each.columns))),
        )
        for each in ranked(view.before.subsets, most=most)
    ]


def _subset_texts(found: IdentifyingSubset | None) -> Sequence[str]:
    if found is None:
        return ("–", "–", "–")
    return (
        risk_text(found.unique),
        risk_text(found.distinction),
        risk_text(found.separation),
    )


def _row(view: RiskView, name: str, text: Callable[[TableRiskView], str]) -> Row:
    return (name, *(text(side) for side in view.sides))


def _prosecutor(side: TableRiskView) -> RiskFigures | None:
    return side.prosecutor


def _journalist(side: TableRiskView) -> RiskFigures | None:
    return side.journalist


def _above(
    threshold: str, figures: Callable[[TableRiskView], RiskFigures | None]
) -> Callable[[TableRiskView], str]:
    def text(side: TableRiskView) -> str:
        found = figures(side)
        if found is None:
            return "–"
        many = found.above[threshold]
        return f"{many:,} ({risk_text(found.share_above(threshold))})"

    return text


def _of_journalist(text: Callable[[RiskFigures], str]) -> Callable[[TableRiskView], str]:
    return lambda side: "–" if side.journalist is None else text(side.journalist)


def _of_uniques(text: Callable[[UniquesView], str]) -> Callable[[TableRiskView], str]:
    return lambda side: "–" if side.uniques is None else text(side.uniques)


def _interval(found: UniquesView) -> str:
    if found.low is None or found.high is None or found.level is None:
        return "–"
    return f"{found.low:,.0f} to {found.high:,.0f} ({100 * found.level:g} %)"


def _model(name: str) -> Callable[[UniquesView], str]:
    def text(found: UniquesView) -> str:
        estimate = found.models[name]
        return "no estimate" if estimate is None else f"{estimate:,.0f}"

    return text


def _or_none(value: float | None, text: Callable[[float], str]) -> str:
    return "–" if value is None else text(value)
