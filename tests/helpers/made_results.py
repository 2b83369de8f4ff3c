"""Hand-made results of runs, fuzzing runs and divides, with every verdict, and with hostile texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from helpers.games import game_from
from perft_check.generator.events import Event
from perft_check.harness.fuzzing.model import Coverage, Discrepancy, FuzzFinding, FuzzFinished, FuzzStarted, Hit
from perft_check.harness.model.results.events import CaseResult, CountResult, RunFinished, RunStarted, SuiteTotal
from perft_check.harness.model.results.finding import Cause, Difference, Finding, RootMove, WrongMove
from perft_check.harness.model.results.positions import DivideFinished, EngineDivide
from perft_check.harness.model.results.verdict import Verdict

FEN = "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1"
WRONG = WrongMove(
    "c4b3",
    "cxb3",
    "missing",
    "en-passant-along-pin",
    "En passant along the line of a pin",
    "The pawn stays on the line of its pin.",
    ("a2", "g8"),
)
FINDING = Finding(
    cause=Cause.MOVES, path=(("h8g8", "Kg8"), ("b2b4", "b4")), fen=FEN, chess960=False, wrong=(WRONG,), divides=3
)
FINDING_LINES = [
    "missing move c4b3: En passant along the line of a pin",
    "after Kg8 b4",
    f"in    {FEN}",
    "  8  .  .  .  .  .  . [k] .    c4b3 (cxb3) missing: The pawn stays on the line of its pin.",
    "  7  .  .  .  .  .  .  .  .",
    "  6  .  .  .  .  .  .  .  .",
    "  5  .  .  .  .  .  .  .  .",
    "  4  .  P [p] .  .  .  .  .",
    "  3  . [.] .  .  .  .  .  .",
    "  2 [B] .  .  .  .  .  .  .",
    "  1  .  .  .  .  .  .  K  .",
    "     a  b  c  d  e  f  g  h",
    "rule: perft-check explain en-passant-along-pin",
]
"""The finding as the terminal shows it."""
DIFFERENCE = Difference("odd", "own", FEN, False, 3, 256, 257, (RootMove("c4b3", "cxb3", None, 7),))
REPLAY = "perft-check fuzz --replay '6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1' -e odd"


def case(name: str, verdict: Verdict, line: int = 1, **more: Any) -> CaseResult:
    """Return a case with three counts, the second of which has the given verdict."""
    agrees, was_counted = verdict is Verdict.AGREE, verdict not in (Verdict.UNFINISHED, Verdict.SKIPPED)
    got = 256 if verdict in (Verdict.MISMATCH, Verdict.SPLIT) else 257 if agrees else None
    rest = Verdict.AGREE if agrees else Verdict.SKIPPED if verdict is Verdict.SKIPPED else Verdict.UNFINISHED
    fields: dict[str, Any] = {
        "suite": "made",
        "source": f"suites/made.epd:{line}",
        "fen": FEN,
        "chess960": False,
        "depth": 2,
        "expected": 257,
        "got": got,
        "references": (),
        "nodes": 300,
        "seconds": 0.5,
        "counts": (
            CountResult(1, 20, Verdict.AGREE if was_counted else verdict, 20 if was_counted else None, 0.125),
            CountResult(2, 257, verdict, got, 0.25),
            CountResult(3, 8902, rest, 8902 if agrees else None, 0.125 if agrees else 0.0),
        ),
    }
    return CaseResult(name=name, verdict=verdict, **(fields | more))


MISMATCH = case("wrong", Verdict.MISMATCH, 2, message="-1 nodes", finding=FINDING, difference=DIFFERENCE)
CASES = (
    case("right", Verdict.AGREE),
    MISMATCH,
    case("wrong too", Verdict.MISMATCH, 3, message="-1 nodes", finding=FINDING, difference=DIFFERENCE),
    case("dead", Verdict.CRASH, 4, message="odd was killed by SIGSEGV"),
    case("slow", Verdict.TIMEOUT, 5, message="odd has not answered within 3 seconds"),
    case("garbage", Verdict.UNPARSEABLE, 6, message="odd prints no count"),
    case("refused", Verdict.REJECTED, 7, message="odd refuses the position"),
    case("split", Verdict.SPLIT, 8, message="the references are split"),
    case("once", Verdict.CRASH, 9, message="odd was killed; a new process does not", replay="h.replay").with_verdict(
        Verdict.NOT_REPRODUCED
    ),
    case("chess960", Verdict.SKIPPED, 10, message="odd does not support Chess960"),
    case("stopped", Verdict.UNFINISHED, 11, message="stopped after depth 1"),
)
LEFT = (case("left", Verdict.UNFINISHED, 12, message="not begun"),)


def run_of(*results: CaseResult, engine: str = "odd", **more: Any) -> RunFinished:
    """Return a run with these results."""
    number = len(results) + len(more.get("not_begun", ()))
    suites = (SuiteTotal("made", number, 3 * number, 9_999),)
    return RunFinished(RunStarted("1.2.3", engine, ("own",), suites), results, 1.5, **more)


RUN = run_of(*CASES, not_begun=LEFT)
GREEN = run_of(CASES[0])

MISSING = Discrepancy("moves", Verdict.MISMATCH, game_from(FEN), FINDING)
CRASHED = Discrepancy("counts", Verdict.CRASH, game_from("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1a2"), None, "odd has died")
FINDINGS = (
    FuzzFinding(MISSING, Hit(MISSING, "walks", 1436), 2, 17, REPLAY),
    FuzzFinding(CRASHED, Hit(CRASHED, "games", 3), 1, 32, REPLAY, reproducible=False),
)
FUZZ = FuzzFinished(
    FuzzStarted("1.2.3", "odd", ("own:turbo",), ("moves", "counts", "fen"), 7, ("walks",), 2000, ()),
    FINDINGS,
    Coverage(((Event.MATE.value, 3),), (("games", 750), ("walks", 1250))),
    12.5,
)
DIVIDE = DivideFinished(
    FEN,
    False,
    3,
    (EngineDivide("odd", (("a1a2", 256),), 256), EngineDivide("own", (("a1a2", 250), ("c4b3", 7)), 257)),
    (DIFFERENCE,),
    FINDING,
)

HOSTILE = (
    "</script><script>alert(1)</script>",
    "]]>",
    "<!--",
    "%0A::error::pwned",
    "\n::error::pwned",
    "\r\n::stop-commands::x",
    "##[error]pwned",
    "a\0b\x1b[31mred\x07",
    "\u2028\u2029\u202e\ufeff\ufffe\uffff",
    "\ud800 lone \udc80",
    "\n  ...\nnot ok 99 # TODO\n1..0",
    "# SKIP \\# \\",
    "```\n# head\n`` ` |a|b| <b> **x** ![x](y) &lt;",
    "\n- item\n\n    code",
    "quotes \" and ' and \\u0041",
)
LONG = "nodes \0" * 150_000


def hostile(text: str) -> tuple[RunFinished, FuzzFinished, DivideFinished]:
    """Return results in which every text from outside perft-check is `text`."""
    wrong = replace(WRONG, uci=text, san=text, sentence=text, title=text)
    finding = replace(FINDING, wrong=(wrong,), note=text, path=((text, text),))
    moves = (RootMove(text, text, None, 1),)
    difference = replace(DIFFERENCE, engine=text, reference=text, moves=moves)
    names: dict[str, Any] = {"message": text, "suite": text, "source": f"{text}:3", "replay": text}
    cases = (
        case(text, Verdict.MISMATCH, **names, difference=difference, finding=finding, references=((text, 3),)),
        case(text, Verdict.CRASH, **names),
        case(text, Verdict.SKIPPED, **names),
        case(text, Verdict.CRASH, **names).with_verdict(Verdict.NOT_REPRODUCED),
    )
    found = replace(MISSING, check=text, finding=finding, message=text)
    dead = replace(CRASHED, check=text, message=text)
    started = replace(FUZZ.started, engine=text, references=(text,), checks=(text, "fen"))
    findings = (
        replace(FINDINGS[0], discrepancy=found, replay=text),
        replace(FINDINGS[1], discrepancy=dead, replay=text, reproducible=True),
    )
    divide = replace(
        DIVIDE,
        divides=(EngineDivide(text, ((text, 1),), 1), EngineDivide(text, (), 0)),
        differences=(difference,),
        finding=finding,
    )
    suites = (SuiteTotal(text, 4, 12, 99),)
    return (
        RunFinished(RunStarted("1", text, (text,), suites), cases, 1.0),
        replace(FUZZ, started=started, findings=findings, failure=text),
        divide,
    )
