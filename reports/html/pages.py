"""Pages: the page of a run, of a fuzzing run and of a divide, as contexts of a template.

The content security policy of a page allows only its own style sheet and script.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ... import __version__
from ...generator.events import Event
from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.engines.command_lines import commands_of_case, difference_command
from ...harness.engines.spec import full_name, short_name, short_names
from ...harness.fuzzing.model import FuzzFinding, FuzzFinished, causes_of_findings
from ...harness.machine import readable
from ...harness.model.capabilities import sentence_of
from ...harness.model.results.events import CaseResult, RunFinished
from ...harness.model.results.finding import Difference
from ...harness.model.results.positions import DivideFinished
from ...harness.model.results.verdict import Verdict
from ...harness.report_context import ReportContext
from ...suites.case import label
from ..content.divide import agreement_on_totals, all_moves, render_vote
from ..content.fuzz import (
    chance_of_new_event,
    counts_table,
    event_table,
    figures_of_coverage,
    speed_facts,
    summary,
    swept,
)
from ..content.run import case_table, describe_ending, suite_table
from ..failure import discovery_facts, title_of
from ..finding import claim, describe_totals, names_of
from ..table import ReportTable
from ..text import count, describe_counts, duration, short, speed, unreachable
from . import components
from .board import board_of, board_rules_of_page, sprites
from .components import LabeledValue, finalize, nonempty, status

HERE = Path(__file__).parent
STYLES = ("colors", "page", "parts", "cause", "tables", "print")
"""The style sheets in the order in which they apply."""
MAX_POSITIONS = 1_000
"""Maximum number of positions in the table of a run."""


class Page:
    """A page with its context, whose text is generated in chunks."""

    def __init__(self, template: str, *, has_boards: bool = False, is_repeatable: bool = False, **context: Any) -> None:
        """Create a page from the name of its template and the template's variables.

        If `is_repeatable`, the page contains no versions, times or machine names, so that equal results produce equal
        bytes.
        """
        self.template, self.context = template, context
        self.has_boards, self.is_repeatable = has_boards, is_repeatable

    def chunks(self, made: ReportContext | None) -> Iterator[str]:
        """Yield the text, including the time and origin of the report if they are known."""
        facts = _facts_of(made) if made is not None and not self.is_repeatable else ()
        yield from (
            _environment()
            .get_template(f"{self.template}.html.jinja")
            .generate(
                style=_style(),
                script=_script(),
                policy=_policy(),
                sprites=sprites() if self.has_boards else None,
                version=__version__,
                made=facts,
                **self.context,
            )
        )
        yield "\n"


def _facts_of(made: ReportContext) -> tuple[LabeledValue, ...]:
    builds = ((f"build of {short_name(engine)}", f"SHA-256 {digest}") for engine, digest in made.builds)
    versions = ", ".join(f"{name} {version}" for name, version in made.versions)
    return (("created", f"{readable(made.moment)} UTC"), ("machine", made.machine), ("versions", versions), *builds)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["count"] = count
    made.filters["claim"] = claim
    return made


@cache
def _style() -> Markup:
    sheets = [*(_read(f"styles/{name}.css") for name in STYLES), board_rules_of_page()]
    return Markup("\n".join(sheets))


@cache
def _script() -> Markup:
    return Markup(_read("copy.js"))


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@cache
def _policy() -> Markup:
    """Return a policy that forbids loading anything and allows only the page's script and style sheet.

    Markup that is accidentally not escaped can therefore not execute anything.
    """
    return Markup(
        f"default-src 'none'; script-src {_digest(_script())}; style-src {_digest(_style())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def run_page(finished: RunFinished) -> Page:
    """Return the page of a run."""
    started = finished.started
    groups = causes_of_run(finished.failures)
    vanished = finished.not_reproduced
    positions = _failures_first(finished)
    return Page(
        "run",
        has_boards=bool(groups or vanished),
        title=f"{short_name(started.engine)}: run",
        status=status(finished.exit_code, *describe_ending(finished, groups)),
        facts=nonempty(
            [
                ("engine", full_name(started.engine)),
                ("compared with", ", ".join(("the counts of the suites", *map(full_name, started.references)))),
                ("planned", f"{count(started.positions, 'position')}, {short(started.nodes)} nodes"),
                ("counted", f"{finished.nodes:,} nodes in {duration(finished.seconds)}"),
                ("speed", speed(finished.nodes, finished.engine_seconds)),
                ("not tried", sentence_of(finished.untried)),
            ]
        ),
        causes=[_cause_of_run(number, group, started.engine) for number, group in enumerate(groups)],
        vanished=[_show_vanished(number, one, started.engine) for number, one in enumerate(vanished)],
        suites=suite_table(finished) if finished.results else None,
        positions=case_table(positions[:MAX_POSITIONS]) if positions else None,
        positions_left_out=max(0, len(positions) - MAX_POSITIONS),
    )


def _cause_of_run(number: int, group: CauseGroup[CaseResult], engine: str) -> components.CauseSection:
    def other(one: CaseResult) -> components.SimilarFailure:
        name = _label(one) + (f", not explained: same symptoms as {one.like}" if one.like else "")
        return components.SimilarFailure(name, one.fen, "".join(commands_of_case(one, engine)[:1]))

    shown = _show_case(number, group.simplest, engine, group.title)
    return components.cause_section(group, group.title, "position", shown, other)


def _show_vanished(number: int, result: CaseResult, engine: str) -> components.CauseSection:
    """Return the section for a failure that was not reproduced."""
    title = f"{result.verdict.value}: {_label(result)}"
    return components.CauseSection(title, "1 position", _show_case(number, result, engine, title), tone="open")


def _show_case(number: int, result: CaseResult, engine: str, title: str) -> components.ShownFinding:
    """Return the representative failure of a cause, without its message if the title is the same."""
    finding = result.finding
    facts = nonempty(
        [
            ("position", _label(result)),
            ("from", f"{result.source}{unreachable(result.reachability)}"),
            ("verdict", result.verdict.value),
            ("counts", describe_counts(result)),
            ("total", result.message if finding is not None else ""),
            ("suite's FEN", result.fen if finding is not None and result.fen != finding.fen else ""),
        ]
    )
    return components.shown_finding(
        number,
        _label(result),
        facts,
        result.fen,
        finding,
        message="" if finding is not None or result.message == title else result.message,
        commands=commands_of_case(result, engine),
        difference=result.difference,
    )


def _label(result: CaseResult) -> str:
    return label(result.suite, result.name)


def _failures_first(finished: RunFinished) -> list[CaseResult]:
    """Return all positions: failures first, then those that were not compared, then correct ones."""
    every = chain(finished.results, finished.not_begun)
    return sorted(every, key=lambda one: (not one.verdict.is_failure, one.verdict is Verdict.AGREE))


def fuzz_page(finished: FuzzFinished) -> Page:
    """Return the page of a fuzzing run."""
    started, coverage = finished.started, finished.coverage
    ending = summary(finished)
    events = _events(finished)
    never = sum(number == 0 for _, number in events)
    tables = {"Positions by strategy": counts_table("strategy", coverage.strategies)}
    return Page(
        "fuzz",
        has_boards=bool(finished.findings),
        is_repeatable=not finished.depends_on_time,
        title=f"{short_name(started.engine)}: fuzz",
        status=status(finished.exit_code, str(ending), str(ending.style)),
        facts=nonempty(
            [
                ("engine", full_name(started.engine)),
                ("compared with", ", ".join(map(full_name, started.references)) or "itself"),
                ("checks", ", ".join(started.checks)),
                ("examined", count(coverage.examples, "position")),
                ("not tried", sentence_of(finished.untried)),
                ("sweep cases", swept(finished) if started.sweep else ""),
                ("further positions that would show a new event", chance_of_new_event(finished)),
                *speed_facts(finished),
                *(figures_of_coverage(code) if (code := finished.code) else ()),
                ("seed", str(started.seed)),
                ("findings saved in", finished.stored or ""),
            ]
        ),
        causes=[_cause_of_fuzz(number, group) for number, group in enumerate(causes_of_findings(finished.findings))],
        tables=tables,
        events=event_table("event", events) if events else None,
        events_title=f"Rare events: {len(events) - never} of {len(events)} occurred" + f", {never} never" * bool(never),
    )


def _cause_of_fuzz(number: int, group: CauseGroup[FuzzFinding]) -> components.CauseSection:
    def other(one: FuzzFinding) -> components.SimilarFailure:
        return components.SimilarFailure(title_of(one.discrepancy), str(one.discrepancy.game), one.replay)

    finding = group.simplest
    found = finding.discrepancy
    shown = components.shown_finding(
        number,
        title_of(found),
        (("discovery", discovery_facts(finding)),),
        str(found.game),
        found.finding,
        message=found.message,
        commands=(finding.replay,) if finding.replay else (),
    )
    title, tone = (group.title, "bad") if finding.reproducible else (f"not reproduced: {group.title}", "open")
    return components.cause_section(group, title, "position", shown, other, tone)


def _events(finished: FuzzFinished) -> list[tuple[Event, int]]:
    """Return the number of positions in which each possible rare event occurred, rarest first."""
    positions = dict(finished.coverage.events)
    possible = {*finished.started.possible_events, *positions}
    return sorted(((Event(one), positions.get(one, 0)) for one in possible), key=lambda row: (row[1], row[0]))


def divide_page(finished: DivideFinished) -> Page:
    """Return the page of a divide."""
    engine, *references = (one.engine for one in finished.divides)
    names = short_names((engine, *references))
    differing = [one for one in finished.differences if one.differs]
    wrong = {move.uci for one in differing for move in one.moves}
    moves = _root_moves(finished, wrong)
    return Page(
        "divide",
        has_boards=True,
        title=f"{names[engine]}: divide at depth {finished.depth}",
        status=status(finished.exit_code, _compare_totals(finished, differing), "red" if differing else "green"),
        facts=nonempty(
            [
                ("engine", full_name(engine)),
                ("compared with", ", ".join(map(full_name, references))),
                ("depth", str(finished.depth)),
                ("variant", "Chess960" if finished.chess960 else "standard chess"),
                ("vote", " ".join(map(str, render_vote(finished.vote)))),
            ]
        ),
        fen=finished.fen,
        board=board_of(finished.fen),
        causes=[_cause_of_divide(number, one, finished) for number, one in enumerate(differing)],
        moves=moves,
        marked=[number for number, row in enumerate(moves.rows) if row.cells[0] in wrong],
    )


def _compare_totals(finished: DivideFinished, differing: list[Difference]) -> str:
    """Return a line that compares the totals of all engines."""
    first = finished.divides[0]
    names = short_names(one.engine for one in finished.divides)
    if differing:
        counts = ", ".join(f"{names[one.engine]} {one.total:,}" for one in finished.divides)
        return f"depth {finished.depth}: {counts} nodes"
    if not finished.differences:
        return f"{count(first.total, 'node')} below {count(len(first.root_moves), 'root move')}, not compared"
    name, *others = names.values()
    if totals_only := [one.engine for one in finished.divides if one.is_total_only]:
        return f"{agreement_on_totals(totals_only)} {count(first.total, 'node')}"
    return f"{name} and {' and '.join(others)} agree on every root move: {count(first.total, 'node')}"


def _cause_of_divide(number: int, difference: Difference, finished: DivideFinished) -> components.CauseSection:
    """Return the section for a difference; only the first difference has a finding."""
    finding = finished.finding if number == 0 else None
    _, reference = names_of(difference)
    shown = components.shown_finding(
        number,
        reference,
        (("counts", describe_totals(difference)),),
        finished.fen,
        finding,
        commands=(difference_command(difference, finding),),
        difference=difference,
    )
    title = f"differs from {reference}" if finding is None else finding.headline_with_move
    return components.CauseSection(title, f"against {reference}", shown)


def _root_moves(finished: DivideFinished, wrong: set[str]) -> ReportTable:
    """Return the counts of all root moves, starting with those that differ."""
    table = all_moves(finished.divides)
    *moves, total = table.rows
    table.rows = [*sorted(moves, key=lambda row: row.cells[0] not in wrong), total]
    return table
