"""``sfumato compare``: which of two anonymizations is better, and for whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.compare.curves.gainers import Gainers
    from sfumato.compare.verdict import Verdict
    from sfumato.front.front import Solution
    from sfumato.study.comparison import Comparison
    from sfumato.study.runs.run import Run
    from sfumato.study.study import Study

DESCRIPTION = """\
Compare two anonymizations row by row: two solutions of a run, or tables that any tool made of the
source of a study.

  sfumato compare study-run 3 7
  sfumato compare study-run knee 'k>=20' --property class-size --by sex
  sfumato compare arx.csv ours.csv --study study.toml --key id
  sfumato compare study-run 3 arx.csv --key id --json
  sfumato compare study-run 3 7 --by sex --report comparison.html

A solution is an id or a rule, as 'sfumato front --pick' takes it. The rows of a table are matched
with the source by a key column that both have, or by their order; rows that it lacks, or that have
* in every quasi-identifier, count as one class. It looks at the rows of the source, so that it is
for the publisher alone, and so is the page that --report writes: one HTML file that opens offline.
"""

_MOST_GROUPS = 30


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "what",
        nargs="+",
        metavar="RUN A B | FILE FILE",
        help="a run folder and two of its solutions, or, with --study, two anonymized tables",
    )
    parser.add_argument(
        "--study", type=Path, metavar="STUDY", help="the study whose source the tables come from"
    )
    parser.add_argument(
        "--key", metavar="COLUMN", help="match the rows of tables by this column, not by order"
    )
    parser.add_argument(
        "--property",
        action="append",
        dest="properties",
        metavar="PROPERTY",
        help="compare by this property alone, such as class-size (may be repeated)",
    )
    parser.add_argument(
        "--comparator",
        action="append",
        dest="comparators",
        metavar="COMPARATOR",
        help="compare by this comparator alone, such as coverage or 'rank(tolerance=2)' (may be "
        "repeated)",
    )
    parser.add_argument(
        "--by", metavar="COLUMN", help="show who gains and who loses by the values of a column"
    )
    parser.add_argument("--words", action="store_true", help="say every verdict in a sentence")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write a page as well: an HTML file that opens offline, not for publication",
    )
    parser.add_argument("--force", action="store_true", help="replace an HTML file that is there")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Compare two anonymizations and show every verdict."""
    study, first, second = _chosen(arguments)
    _check_report(arguments, study)
    found = study.compare(
        first,
        second,
        properties=arguments.properties,
        comparators=arguments.comparators,
        key=arguments.key,
    )
    groups: dict[str, tuple[Gainers, ...]] = {}
    if arguments.by is not None:
        groups = {name: found.gainers_by_value(name, arguments.by) for name in found.verdicts}
    output.show(_summary(found))
    for name, verdicts in found.verdicts.items():
        everybody = found.gainers(name)
        output.show(f"\n{name}: {_who(found, everybody)}")
        _show_verdicts(output, found, verdicts, words=arguments.words)
        if name in groups:
            output.show(_group_table(found, arguments.by, groups[name]))
            if len(groups[name]) > _MOST_GROUPS:
                output.show(f"the {_MOST_GROUPS} largest of {len(groups[name]):,} groups")
    if found.together:
        output.show(f"\n{', '.join(found.together_on)} together")
        _show_verdicts(output, found, found.together, words=arguments.words)
    output.json(_record(found, groups))
    if arguments.report is not None:
        _write_report(arguments, study, found, output)
    return DONE


def _check_report(arguments: Namespace, study: Study) -> None:
    """Refuse a place for the page before anything is counted."""
    from sfumato.errors import SettingsError
    from sfumato.report.page_file import check_page_path
    from sfumato.sources.source import path_of, source_of

    if arguments.report is None:
        if arguments.force:
            raise SettingsError("--force replaces a page, and none is written without --report")
        return
    kept = {Path(text): "a table that is compared" for text in arguments.what}
    source = path_of(source_of(study.source))
    if source is not None:
        kept[source] = "the source of the study"
    if arguments.study is not None:
        kept[arguments.study] = "the study"
    check_page_path(
        arguments.report, force=arguments.force, kept=kept, what="comparison", option="--report"
    )


def _write_report(arguments: Namespace, study: Study, found: Comparison, output: Output) -> None:
    from sfumato.report.comparison import write_comparison
    from sfumato.sources.source import source_of
    from sfumato.study.matched_tables import table_label

    source = table_label(source_of(study.source))
    write_comparison(found, arguments.report, source=source, by=arguments.by)
    output.show(f"\nThe page is in {arguments.report}")
    output.remark("it is not for publication: it is computed from the rows of the source")


def _chosen(
    arguments: Namespace,
) -> tuple[Study, Solution | Path, Solution | Path]:
    from sfumato.errors import SettingsError
    from sfumato.study.runs.run_files import is_run_folder
    from sfumato.study.runs.run_folder import read_run, read_study

    what: list[str] = arguments.what
    if arguments.study is None:
        if len(what) != 3 or not is_run_folder(what[0]):
            raise SettingsError(
                "give a run folder and two of its solutions, as in 'sfumato compare study-run 3 "
                "7', or two tables and the study they come from: 'sfumato compare a.csv b.csv "
                "--study study.toml'"
            )
        place, what = Path(what[0]), what[1:]
    else:
        place = arguments.study
        if len(what) != 2:
            raise SettingsError(
                f"with --study two anonymizations are compared, and {len(what)} were given"
            )
    if not is_run_folder(place):
        return read_study(place).study, Path(what[0]), Path(what[1])
    run = read_run(place)
    run.check_source()
    return run.study_file.study, _solution(run, what[0]), _solution(run, what[1])


def _solution(run: Run, text: str) -> Solution | Path:
    """Return the table of a path that exists, or the solution that a rule picks."""
    from sfumato.front.decisions.picking import pick

    if Path(text).is_file():
        return Path(text)
    metrics = [detail.metrics for detail in run.details]
    return pick(text, run.result.front, metrics).solution


def _names(found: Comparison) -> tuple[str, str]:
    return found.first.label or "the first", found.second.label or "the second"


def _summary(found: Comparison) -> str:
    from sfumato.cli.metric_text import share_text
    from sfumato.errors.listing import counted

    lines = []
    for side, name in zip((found.first, found.second), _names(found), strict=True):
        rows, gone = side.table.rows, side.suppressed_rows
        classes = side.classes - (side.suppressed is not None)
        lines.append(
            f"{name}: {counted(rows - gone, 'row')} in {counted(classes, 'class', 'classes')}, "
            f"{counted(gone, 'row')} suppressed ({share_text(gone, rows)})"
        )
    return "\n".join(lines)


def _who(found: Comparison, everybody: Gainers) -> str:
    from sfumato.errors.listing import counted

    first, second = _names(found)
    return (
        f"{counted(everybody.better_off, 'row')} better off in {first}, "
        f"{everybody.worse_off:,} in {second}, {everybody.unchanged:,} the same in both"
    )


def _show_verdicts(
    output: Output, found: Comparison, verdicts: tuple[Verdict, ...], *, words: bool
) -> None:
    if words:
        for verdict in verdicts:
            output.show(f"  {verdict.sentence}")
        return
    output.show(_verdict_table(found, verdicts))


def _verdict_table(found: Comparison, verdicts: tuple[Verdict, ...]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from sfumato.cli.metric_text import metric_text

    first, second = _names(found)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("comparator")
    for name in (first, second):
        table.add_column(Text(name), justify="right")
    table.add_column("better")
    winners = {"better": first, "worse": second, "equal": "equal", "incomparable": "incomparable"}
    for verdict in verdicts:
        cells = (
            verdict.comparator,
            metric_text(verdict.first),
            metric_text(verdict.second),
            winners[verdict.outcome.value],
        )
        table.add_row(*map(Text, cells))
    return table


def _group_table(found: Comparison, column: str, groups: tuple[Gainers, ...]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from sfumato.cli.metric_text import share_text

    first, second = _names(found)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(Text(column))
    for head in ("rows", f"better off in {first}", f"better off in {second}"):
        table.add_column(Text(head), justify="right")
    largest = sorted(groups, key=lambda group: -group.rows)[:_MOST_GROUPS]
    for group in [group for group in groups if group in largest]:
        cells = (
            group.value,
            f"{group.rows:,}",
            share_text(group.better_off, group.rows),
            share_text(group.worse_off, group.rows),
        )
        table.add_row(*map(Text, cells))
    return table


def _record(found: Comparison, groups: dict[str, tuple[Gainers, ...]]) -> dict[str, object]:
    properties: dict[str, object] = {}
    for name, verdicts in found.verdicts.items():
        one: dict[str, object] = {
            "direction": found.vectors[name][0].direction.value,
            "gainers": _gainers_record(found.gainers(name)),
            "verdicts": [_verdict_record(verdict) for verdict in verdicts],
        }
        if name in groups:
            one["by_value"] = [
                {"value": group.value, **_gainers_record(group)} for group in groups[name]
            ]
        properties[name] = one
    first, second = _names(found)
    return {
        "first": first,
        "second": second,
        "rows": found.first.table.rows,
        "suppressed": [found.first.suppressed_rows, found.second.suppressed_rows],
        "properties": properties,
        "together": {
            "properties": list(found.together_on),
            "verdicts": [_verdict_record(verdict) for verdict in found.together],
        },
    }


def _gainers_record(group: Gainers) -> dict[str, object]:
    return {
        "rows": group.rows,
        "better_off_in_first": group.better_off,
        "better_off_in_second": group.worse_off,
        "gained": group.gained,
        "lost": group.lost,
    }


def _verdict_record(verdict: Verdict) -> dict[str, object]:
    return {
        "comparator": verdict.comparator,
        "outcome": verdict.outcome.value,
        "first": verdict.first,
        "second": verdict.second,
        "better": verdict.better.value,
        "margin": verdict.margin,
        "sentence": verdict.sentence,
    }


COMMAND = Command(
    name="compare",
    order=35,
    summary="two anonymizations row by row: which is better, for whom",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
