"""The coverage of an engine's code: figures, growth, and the source that was not reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.checking.covering import CoverFinished
from ...harness.coverage.code import CodeCoverage, CodeFile, CodeFunction, Gap
from ...harness.engines.spec import full_name, short_name
from ..content.fuzz import UNKNOWN, branches, figures_of_coverage
from ..text import count, one_line, visible

SHOWN = 12
"""Maximum lines of source without `verbose`."""
SHOWN_OF_GAP = 4
"""Maximum lines of one gap without `verbose`."""
SHOWN_ABSENT = 4
"""Maximum number of files named per reason why a source is unavailable."""
LONGEST = 400
"""Maximum characters of a line of source."""


def render_code(code: CodeCoverage, verbose: bool = False) -> list[RenderableType]:
    """Return the figures of coverage and the unreached code; empty without coverage data."""
    figures = figures_of_coverage(code)
    return [*(Text(f"{name}: {value}", overflow="fold") for name, value in figures), *render_unreached(code, verbose)]


def render_unreached(code: CodeCoverage, verbose: bool = False) -> list[RenderableType]:
    """Return the lines that were never reached (all of them if `verbose`) and the functions never called."""
    missing = [(file, function) for file in code.files for function in file.functions if function.never]
    if not code.knows_unreached and code.branches:
        return [Text(f"never reached: {UNKNOWN}", style="bold yellow", overflow="fold")]
    if not missing:
        return [Text("never reached: nothing", style="bold green")] if code.branches else []
    entered = [one for one in missing if one[1].is_entered]
    parts: list[RenderableType] = [
        Text(f"never reached: {branches(code.branches - code.reached)}", style="bold yellow", overflow="fold")
    ]
    rows = [(file, function, row) for file, function in entered for row in _rows(file, function, verbose)]
    shown = rows if verbose else rows[:SHOWN]
    for (file, function), some in groupby(shown, key=lambda one: one[:2]):
        parts += [_head(file, function), *(row for _, _, row in some)]
    if len(rows) > len(shown):
        more = f"... and {count(len(rows) - len(shown), 'line')} more (all of them with -v or --report json)"
        parts.append(Text(more, style="dim", overflow="fold"))
    for absence, files in _absent_files(code):
        parts.append(Text(f"source unavailable, {absence}: {files}", style="dim", overflow="fold"))
    if never_called := [one for one in missing if not one[1].is_entered]:
        parts.append(Text(f"never called: {_names(never_called, verbose)}", overflow="fold"))
    return parts


def _absent_files(code: CodeCoverage) -> Iterator[tuple[str, str]]:
    """Yield each reason why sources are unavailable and the affected files."""
    wanted = [file.source for file in code.files if file.source.absence and file.reached < file.branches]
    for absence in dict.fromkeys(source.absence for source in wanted):
        names = [one_line(source.name, LONGEST) for source in wanted if source.absence == absence]
        more = f" and {len(names) - SHOWN_ABSENT:,} more" if len(names) > SHOWN_ABSENT else ""
        yield absence, ", ".join(names[:SHOWN_ABSENT]) + more


def _head(file: CodeFile, function: CodeFunction) -> Text:
    title = f"{one_line(function.name, LONGEST)}, " if function.name else ""
    return Text.assemble(
        (title, "cyan"), f"{location_of(file, function)}: {missing_branches(function)}", overflow="fold"
    )


def location_of(file: CodeFile, function: CodeFunction) -> str:
    """Return the file and the lines of a function, or only the file if the lines are unknown."""
    name, first, last = one_line(file.source.name, LONGEST), function.first, function.last
    if not (file.source.is_source and first):
        return name
    return f"{name}:{first}" if first == last else f"{name}:{first}-{last}"


def missing_branches(function: CodeFunction) -> str:
    """Return the number of branches of a function that were never reached, as text."""
    every = sum(one.branches for one in function.lines)
    return branches(every) if function.never == every else f"{function.never:,} of {branches(every)}"


def _rows(file: CodeFile, function: CodeFunction, verbose: bool) -> Iterator[Text]:
    """Yield the lines of a function that were never reached, or their numbers if the source is unavailable."""
    gaps = list(function.gaps)
    if file.source.absence:
        numbers = ", ".join(str(one.first) if one.first == one.last else f"{one.first}-{one.last}" for one in gaps)
        if file.source.is_source and numbers:
            yield Text(f"  lines {numbers}", style="dim", overflow="fold")
        return
    for gap in gaps:
        yield from _rows_of_gap(file, gap, verbose)


def _rows_of_gap(file: CodeFile, gap: Gap, verbose: bool) -> Iterator[Text]:
    last = gap.last if verbose or gap.last - gap.first < SHOWN_OF_GAP else gap.first + SHOWN_OF_GAP - 2
    for number in range(gap.first, last + 1):
        text = one_line(file.source.line(number).expandtabs(4).rstrip(), LONGEST)
        note = f"{gap.branches} of {gap.branches + gap.begun}  " if gap.begun else ""
        yield Text.assemble((f"{number:>6}  ", "dim"), (note, "yellow"), text, no_wrap=True, overflow="ellipsis")
    if last < gap.last:
        yield Text(f"{'':>6}  ... to line {gap.last}", style="dim", no_wrap=True)


def _names(functions: Iterable[tuple[CodeFile, CodeFunction]], verbose: bool) -> str:
    """Return the functions that were never called, starting with those with the most branches."""
    sizes: Counter[str] = Counter()
    for file, function in functions:  # copies of an inline or template function count as one
        sizes[one_line(function.name, LONGEST) or location_of(file, function)] += function.never
    shown = sizes.most_common(None if verbose else SHOWN)
    more = [f"{len(sizes) - len(shown):,} more"] if len(sizes) > len(shown) else []
    return ", ".join([*(f"{name} ({never:,})" for name, never in shown), *more])


def render(finished: CoverFinished, verbose: bool = False, quiet: bool = False) -> RenderableType:
    """Return the coverage report of suites; `verbose` shows all lines, `quiet` only the summary."""
    if quiet:
        return summary(finished)
    heading = Text.assemble(
        (f"perft-check {finished.version}", "bold"),
        "  code of ",
        (full_name(finished.engine), "cyan"),
        f" reached by {', '.join(finished.suites) or 'no suite'}",
        overflow="fold",
    )
    failures = [Text(visible(line), style="red", overflow="fold") for line in finished.failures]
    return Group(heading, Text(), *render_code(finished.code, verbose), *failures, Text(), summary(finished))


def summary(finished: CoverFinished) -> Text:
    """Return the summary, which is the last line of the report."""
    code, name = finished.code, short_name(finished.engine)
    cut = "interrupted: " * finished.interrupted
    if not code.branches:
        no_data = f"no coverage data from {name} after {count(finished.positions, 'position')}"
        text = no_data if finished.positions else "nothing was asked"
        return Text(f"{cut}{text}", style="bold yellow", overflow="fold")
    of_all = f"of {branches(code.branches)}" if code.knows_unreached else "branch" + "es" * (code.reached != 1)
    reached = f"{code.reached:,} {of_all} of {name}"
    line = f"{cut}{reached} reached by {count(finished.positions, 'position')}"
    wrong = sum(number for verdict, number in finished.verdicts if verdict.is_failure)
    if wrong:
        line += f"; {count(wrong, 'count is', 'counts are')} incorrect: perft-check run explains why"
    return Text(line, style="bold red" if wrong else "bold yellow" if cut else "bold green", overflow="fold")
