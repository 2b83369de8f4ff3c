"""The usual ways to call a program that counts, and finding out by which of them one does.

Each is tried with positions that need no special rule: a program whose castling is wrong counts there as it should.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from pathlib import Path

from ...generator.counting.perft import perft
from ...generator.line import Line
from ...generator.position import Position
from .asking.runner import CallRunner
from .base import EngineCrash, EngineError
from .call import EngineCall
from .command_words import DEPTH, FEN, STDIN, join_words, missing_place, split_words
from .kinds.program import SCRIPT, Arguments, ProgramEngine
from .stdio.command_search import SHALLOW_DEPTH
from .stdio.output import printable
from .stdio.probing import PLAYED
from .stdio.process import Process, ProcessLimits
from .stdio.sentinels import SENTINELS, START_COUNTS
from .stdio.total_patterns import has_count

SCRIPT_WAY = "{depth} {fen}"
"""How a script is called where no moves are to be played."""
USUAL = (
    "perft {depth} {fen}",
    "perft {fen} {depth}",
    SCRIPT_WAY,
    "{fen} {depth}",
    "divide {depth} {fen}",
    "divide {fen} {depth}",
    "--fen {fen} --depth {depth}",
    "-f {fen} -d {depth}",
    "--fen {fen} --perft {depth}",
    "perft --fen {fen} --depth {depth}",
    "perft {depth} {fields}",
    "perft {fields} {depth}",
    "{depth} {fields}",
    "{fields} {depth}",
    "{depth} <<< {fen}",
    "<<< {fen} {depth}",
    "perft {depth} <<< {fen}",
    "perft -f {fen} -d {depth}",
    "perft {depth} --fen {fen}",
    "--perft {depth} {fen}",
    "-fen {fen} -depth {depth}",
    "-fen {fen} -perft {depth}",
    "-f {fen} -p {depth}",
    "--fen={fen} --depth={depth}",
    "--fen={fen} --perft={depth}",
    "--perft --fen {fen} --depth {depth}",
    "--depth {depth} {fen}",
    "-d {depth} {fen}",
    "fen {fen} perft {depth}",
    "d {depth} {fen}",
    "'position fen {fen}' 'go perft {depth}'",
    "--depth {depth} <<< {fen}",
    "-d {depth} <<< {fen}",
    "<<< {depth} {fen}",
    "<<< '{fen} {depth}'",
    "<<< '{depth} {fen}'",
    "<<< 'perft {depth} {fen}'",
    "<<< 'position fen {fen}' 'go perft {depth}' quit",
    "<<< 'position fen {fen}' 'perft {depth}' quit",
    "<<< 'setboard {fen}' 'perft {depth}' quit",
    "<<< '{fen} ;D{depth}'",
    "/dev/stdin {depth} <<< {fen}",
    "<<< 'fen {fen}' 'perft {depth}' quit",
    "<<< 'setpos {fen}' 'perft {depth}' quit",
)
"""What follows the program, the most usual first. Of options the FEN comes first: some count once they read a depth."""
COUNTING_WORDS = ("perft", "divide", "count")
"""What commands of a program are called that count."""
FACTOR = 2
"""A count that is wrong by less than this factor is one of the position, and not some other number."""
MOST_OF_HELP = 400
"""Lines of a help that are read."""
MOST_OPTIONS = 3
"""Options that may take the position, or the depth, of a help that has many."""
_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)(.*?)(?=(?<![\w-])--?[A-Za-z]|$)", re.MULTILINE)
_OF_POSITION = re.compile(r"\b(?:fen|epd|pos|position|board)\b|^-[fp]$", re.IGNORECASE)
_OF_DEPTH = re.compile(r"\b(?:depth|plies|ply|perft)\b|^-d$", re.IGNORECASE)
_OF_FILE = re.compile(r"file|path", re.IGNORECASE)
_USAGE = re.compile(r".*(?:\b(?:usage|syntax|commands?|example)\b:?|:\s)", re.IGNORECASE)
"""What stands before the words of a call."""
_QUOTES = re.compile("[\"'`{},;]")
_OPTIONAL = re.compile(r"\[([^][]*)\]")
_OR = re.compile(r"(?<![a-z])\||\|\s")
"""What stands between two calls on one line; `perft|divide` are two words for one."""
_CALL_WORD = re.compile(
    r"(?P<option>--?[A-Za-z][\w-]*=)?(?:<(?P<angle>[^<>]+)>|(?P<upper>[A-Z][A-Z_-]*)(?!\w)|(?P<typed>\S+))"
)
"""A word of a call, as a usage has it: something to fill in, or a word as it is typed."""
_MOST_WORDS = 8
"""A line with more words is no call."""
_UNMARKED = {"fen": FEN, "depth": DEPTH}
"""Words that are something to fill in, unless that is marked otherwise."""
FILE_OF_STDIN = "/dev/stdin"
"""A file that has what is written to the program."""


TRY_SECONDS = 5.0
"""Time for one way to call a program, at least."""
HELP_SECONDS = 20.0
"""Time for the help of a program, which shows how long it takes to start."""
TIMES_LONGER = 4
"""A way to call a program has so many times the time that its help has taken."""
ENDLESS_TRIES, ENDLESS_SECONDS = 2, 0.3
"""Where so many tries have not ended, and none has, others have no more time than that."""
ALL_SECONDS, ALL_STARTS = 60.0, 40
"""Time for all ways together, at least, and the starts of the program for which it suffices."""
SLOW_START = 2.0
"""If a program takes longer to start, the time for all ways is printed."""


@dataclass(frozen=True)
class CommandAttempt:
    """One way to call a program, and what came of it."""

    way: str
    """What followed the program, with places."""
    outcome: str
    """What came, as a sentence."""
    is_right: bool = False
    """Whether it was the right count of the position."""
    is_near: bool = False
    """Whether it was a wrong count that may be one of the position."""
    is_overdue: bool = False
    """Whether it had not ended in time."""
    is_unread: bool = False
    """Whether the right count is there, in a line that is not understood."""


class UsualCommands:
    """Tries the usual ways to call one program, one at a time."""

    def __init__(self, program: Sequence[str], limits: ProcessLimits | None = None) -> None:
        """Take the words that name the program, which is here."""
        self._program, self._limits = tuple(program), limits or ProcessLimits()

    def command(self, way: str) -> str:
        """Return the whole command, as it follows `cmd:`."""
        return f"{join_words(self._program)} {way}"

    def attempt(self, way: str, call: EngineCall) -> CommandAttempt:
        """Call the program once or twice, each time with the time limit of the call."""
        program = self._open([*self._program, *split_words(way)])
        attempt = CommandAttempt(way, "")
        for fen in SENTINELS:  # a number that is right twice is no other number
            line = Line(Position.from_fen(fen))
            known, step = [perft(line.position, depth) for depth in range(1, SHALLOW_DEPTH + 1)], call.step()
            try:
                survey = program.survey(line, known, step)
            except EngineError as error:
                return CommandAttempt(way, str(error).removeprefix("it "), is_overdue=step.is_overdue)
            attempt = _judge(way, known[-1], survey.counts, survey.unread)
            if not attempt.is_right and not attempt.is_unread:
                break
        return attempt

    def is_script(self, call: EngineCall) -> bool:
        """Return True if the program plays the moves that follow depth and FEN, as perftree calls its scripts."""
        line = Line.from_uci(Position.start(), PLAYED)
        try:
            total = self._open([*self._program, *SCRIPT]).perft(line, SHALLOW_DEPTH, call)
        except EngineError:
            return False
        return total == perft(line.position, SHALLOW_DEPTH)

    def _open(self, words: Sequence[str]) -> ProgramEngine:
        return ProgramEngine("it", Arguments.of_command(words), self._limits)

    def ways_of_usage(self, call: EngineCall) -> list[str]:
        """Return the ways that the program itself names, in its help or when it is called wrongly."""
        names = {name for word in self._program for name in (Path(word).name, Path(word).stem)}
        return list(dict.fromkeys(calls_in(self._help([], call), names)))

    def ways_of_help(self, call: EngineCall) -> list[str]:
        """Return ways that the help of the program suggests, by the names and the descriptions of its options."""
        text = self._help([], call)
        words = [word for word in COUNTING_WORDS if re.search(rf"(?<![\w-]){word}(?![\w-])", text)][:1]
        text += "".join(self._help([word], call) for word in words)
        return list(ways_by(text, words))

    def _help(self, words: list[str], call: EngineCall) -> str:
        """Return what the program says to `--help`, on both its outputs."""
        process = Process("it", [*self._program, *words, "--help"], self._limits)
        call.on_stop(process.interrupt)
        lines: list[str] = []
        try:
            process.end_input()
            while len(lines) < MOST_OF_HELP and (line := process.read(call)) is not None:
                lines.append(line)
        except EngineCrash:
            pass  # it has ended
        except EngineError:
            return ""
        finally:
            process.kill()
        return "\n".join([*lines, process.said_on_stderr, ""])


def search(
    usual: UsualCommands, runner: CallRunner, tell_slow: Callable[[float, float], None]
) -> Iterator[CommandAttempt]:
    """Yield attempts up to the first one that is right, understood or not. Raises Interrupted.

    `tell_slow` is called if the program takes long to start, with that time and the time for all ways.
    """
    began = time.monotonic()
    named = runner.call(usual.ways_of_usage, HELP_SECONDS, usual.command("--help"))
    start = time.monotonic() - began
    end = time.monotonic() + max(ALL_SECONDS, ALL_STARTS * start)
    if SLOW_START < start < HELP_SECONDS:
        tell_slow(start, end - time.monotonic())
    enough = max(TRY_SECONDS, min(TIMES_LONGER * start, HELP_SECONDS))
    overdue, is_endless = 0, True
    tried: set[str] = set()
    for way in chain(named, USUAL, _suggested(usual, runner, enough)):
        seconds = ENDLESS_SECONDS if is_endless and overdue >= ENDLESS_TRIES else enough
        if time.monotonic() > end or len(tried) >= len(USUAL) <= overdue:
            return
        if way in tried:
            continue
        tried.add(way)
        attempt = runner.call(partial(usual.attempt, way), seconds, usual.command(way))
        yield attempt
        if attempt.is_right or attempt.is_unread:
            return
        overdue += attempt.is_overdue
        is_endless = is_endless and attempt.is_overdue


def _suggested(usual: UsualCommands, runner: CallRunner, seconds: float) -> Iterator[str]:
    """Yield the ways that the help of the program suggests. It is asked for it once they are wanted."""
    yield from runner.call(usual.ways_of_help, seconds, usual.command("--help"))


def _judge(way: str, right: int, counts: set[int], lines: Sequence[str]) -> CommandAttempt:
    """Return what to say about the counts that a program prints, or about its lines where there are none."""
    if right in counts:
        return CommandAttempt(way, "counts right", is_right=True)
    near = sorted(count for count in counts if right / FACTOR < count < right * FACTOR)
    if near:
        return CommandAttempt(way, f"counts wrong: {near[0]} instead of {right}", is_near=True)
    if START_COUNTS[SHALLOW_DEPTH - 1] in counts:
        return CommandAttempt(way, "counts the starting position, and not the one that it is given")
    unread = next((line for line in lines if has_count(line, right)), None)
    if unread is not None:
        outcome = f"has the right count, {right}, in a line that is not understood: {printable(unread)!r}"
        return CommandAttempt(way, outcome, is_unread=True)
    if counts:
        return CommandAttempt(way, f"prints {min(counts):,}, which is no count of the position")
    return CommandAttempt(way, f"prints no count: {printable(lines[-1])!r}" if lines else "prints nothing")


def calls_in(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield the ways to call a program of one of these names that a text has: `usage: engine perft DEPTH "FEN"`."""
    before = re.compile(rf"(?:^|[\s/])(?:{'|'.join(map(re.escape, names))})(?=\s)")
    for line in _QUOTES.sub(" ", text).splitlines():
        begins = [match.end() for match in (*before.finditer(line), _USAGE.match(line)) if match] or [0]
        for call in (call for begin in begins for call in _OR.split(line[begin:])):
            if way := _call_in(call):
                yield way


def _call_in(text: str) -> str | None:
    """Return the way to call a program that these words have, None where they have not both its places."""
    text = _OPTIONAL.sub(lambda part: part[1] if _place_of(part[1]) else "", text)
    matches = list(_CALL_WORD.finditer(text))
    marked = {_place_of(match["angle"] or match["upper"] or "") for match in matches}
    words: list[str] = []
    for match in matches:
        name = match["angle"] or match["upper"]
        place = _place_of(name or "") or _UNMARKED.get(match["typed"])
        if name and place is None:
            return None
        if not name and place in marked:
            place = None
        words.append(f"{match['option'] or ''}{place or match['typed'].partition('|')[0]}")
        if len(words) > _MOST_WORDS:
            return None
        if missing_place(" ".join(words).replace(FILE_OF_STDIN, FEN)) is None:
            break
    else:
        return None
    return join_words([*words, *([STDIN, FEN] if FILE_OF_STDIN in words else [])])


def _place_of(name: str) -> str | None:
    """Return the place for what a usage calls so, None where it is neither the position nor the depth."""
    if _OF_FILE.search(name):
        return FILE_OF_STDIN
    if _OF_POSITION.search(name):
        return FEN
    return DEPTH if _OF_DEPTH.search(name) or name.casefold() in ("n", "d") else None


def ways_by(text: str, words: Iterable[str]) -> Iterator[str]:
    """Yield ways to call a program that prints this help and has these commands, first those with a command."""
    positions, depths = _options(text, _OF_POSITION), _options(text, _OF_DEPTH)
    for word, position, depth in product([*words, ""], positions or [""], depths or [""]):
        if position != depth:
            yield " ".join(f"{word} {position} {{fen}} {depth} {{depth}}".split())


def _options(text: str, about: re.Pattern[str]) -> list[str]:
    """Return the options whose name, or else whose description, is about something."""
    found = [(match[1], match[2]) for match in _OPTION.finditer(text)]
    named = [name for name, _ in found if about.search(name.lstrip("-")) or about.search(name)]
    described = [name for name, description in found if about.search(description)]
    return list(dict.fromkeys(named or described))[:MOST_OPTIONS]
