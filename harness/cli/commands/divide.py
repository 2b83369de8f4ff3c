"""`perft-check divide`: the count below each root move; where engines differ, down to the rule."""

from __future__ import annotations

from contextlib import ExitStack

from rich.table import Table
from rich.text import Text

from ....generator.line import Line
from ....generator.position import Position
from ....reports.terminal.parts.difference import render_difference
from ....reports.terminal.parts.finding import render_finding
from ....reports.text import again
from ....suites.positions import resolve_position
from ...checking.comparing import compare_divides
from ...checking.consistency import contradictions
from ...checking.descent import descend
from ...checking.judging import vote
from ...engines.asker import Asker, TimeLimit
from ...engines.base import Divide
from ...engines.registry import open_engine, references_of
from ...engines.stdio.process import Limits
from ...model.command_lines import difference_command
from ...model.events import Difference
from ...model.interrupt import Interrupted, catch_interrupts
from ...model.verdict import ExitCode
from .. import console
from ..settings.position import DivideSettings


def main(settings: DivideSettings) -> ExitCode:
    """Print the divide, or with references the differences. Raises UsageError, EngineError."""
    references = references_of(settings.engine, settings.against)
    position = resolve_position(settings.position, settings.chess960)
    limits = Limits.of_mebibytes(settings.memory)
    with ExitStack() as stack:
        engines = [open_engine(name, limits) for name in (settings.engine, *references)]
        for engine in engines:
            stack.callback(engine.close)
        caller = console.foreground(stack.enter_context(catch_interrupts()))
        askers = [Asker(engine, caller, TimeLimit(settings.timeout)) for engine in engines]
        division = _Division(position, settings, askers)
        try:
            return division.run()
        except Interrupted:
            return division.interrupted()


class _Division:
    def __init__(self, position: Position, settings: DivideSettings, engines: list[Asker]) -> None:
        self._position, self._settings, self._engines = position, settings, engines
        self._explained = False

    def run(self) -> ExitCode:
        for engine in self._engines:
            console.start_engine(engine)
        if self._settings.self_consistency:
            return self._check_consistency()
        depth = self._settings.depth
        divides = [engine.divide(Line(self._position), depth) for engine in self._engines]
        if len(divides) == 1:
            _print_divide(self._position, divides[0])
            return ExitCode.AGREE
        engine, got = self._engines[0], divides[0]
        differences = [
            compare_divides(self._position, depth, engine.name, got, reference.name, expected)
            for reference, expected in zip(self._engines[1:], divides[1:], strict=True)
        ]
        for difference, reference in zip(differences, self._engines[1:], strict=True):
            self._show(difference, reference)
        self._print_vote(divides)
        return ExitCode.MISMATCH if any(map(_differs, differences)) else ExitCode.AGREE

    def interrupted(self) -> ExitCode:
        """Print the root moves that are complete."""
        found = Divide.of(self._engines[0].caller.task.root_moves)
        if found.counts:
            console.out().print("\n".join(_lines(self._position, found)), soft_wrap=True)
        total = len(self._position.legal_moves)
        console.err().print(f"interrupted: {len(found.counts)} of {total} root moves")
        return ExitCode.INTERRUPTED

    def _show(self, difference: Difference, reference: Asker) -> None:
        """Print how one reference differs; the first difference is followed to its cause."""
        out = console.out()
        explain = _differs(difference) and self._settings.explain and not self._explained
        if _differs(difference):
            out.print(render_difference(difference, board=not explain))
            out.print(again(difference_command(difference)), soft_wrap=True)
        else:
            out.print(Text(f"{difference.engine} and {difference.reference} agree on every root move."))
        line = f"depth {difference.depth}: {difference.engine} {difference.got:,}"
        line += f", {difference.reference} {difference.expected:,}"
        out.print(Text(line, style="bold red" if _differs(difference) else "bold green"))
        if explain:
            self._explained = True
            self._explain(difference, reference)

    def _explain(self, difference: Difference, reference: Asker) -> None:
        finding = descend(Line(self._position), difference.depth, self._engines[0], reference)
        if finding is not None:
            console.out().print()
            console.out().print(render_finding(finding))
            console.out().print(again(difference_command(difference, finding)), soft_wrap=True)

    def _print_vote(self, divides: list[Divide]) -> None:
        """With two or more references, say who stands alone, or that there is no majority."""
        if len(divides) < 3:
            return
        dissenters, majority = vote([(one.name, divide) for one, divide in zip(self._engines, divides, strict=True)])
        if not majority:
            console.out().print(Text("no majority: the references disagree with each other", style="bold magenta"))
        elif dissenters:
            alone = f"{dissenters[0]} alone differs" if len(dissenters) == 1 else f"{', '.join(dissenters)} differ"
            console.out().print(Text(f"{alone}; all others agree", style="bold"))

    def _check_consistency(self) -> ExitCode:
        engine, depth = self._engines[0], self._settings.depth
        found = contradictions(self._position, depth, engine)
        if not found:
            line = f"{engine.name} agrees with itself under each of {len(self._position.legal_moves)} root moves"
            console.out().print(Text(line, style="bold green"))
            return ExitCode.AGREE
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
        for title in ("move", "SAN"):
            table.add_column(title)
        for title in ("in the divide", "after playing it", "from the FEN"):
            table.add_column(title, justify="right")
        for one in found:
            table.add_row(one.uci, one.san or "", f"{one.divided:,}", f"{one.played:,}", f"{one.from_fen:,}")
        console.print_table(table)
        for sentence in dict.fromkeys(one.sentence for one in found):
            first = next(one for one in found if one.sentence == sentence)
            console.out().print(
                Text(f"{sentence} (first after {first.san or first.uci}: {first.fen})", overflow="fold")
            )
        console.out().print(Text(f"{engine.name} contradicts itself", style="bold red"))
        return ExitCode.MISMATCH


def _differs(difference: Difference) -> bool:
    return bool(difference.moves) or difference.got != difference.expected


def _print_divide(position: Position, divide: Divide) -> None:
    """Print `move: count` lines in the notation of the position, a blank line, and the total."""
    console.out().print("\n".join([*_lines(position, divide), "", str(divide.total)]), soft_wrap=True)


def _lines(position: Position, divide: Divide) -> list[str]:
    notation = {move.uci(chess960=True): move.uci(position.chess960) for move in position.legal_moves}
    return sorted(f"{notation.get(text, text)}: {count}" for text, count in divide.counts.items())
