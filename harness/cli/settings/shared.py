"""Options that several commands have."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from ....errors import UsageError
from ...engines.spec import KERNELS, EngineSpec
from ...engines.uci_options import NoOptions
from ...model.values import EXPLAINED
from .. import completion
from ..options import argument, option
from ..value_types import FILE, NAME, REPORT, SPEC, SUITE, UCI_OPTION, Amount, ValueType, count, memory, seconds, whole

S = TypeVar("S")
SPECS = (
    "own, own:turbo, own:two-plies, python-chess, uci:COMMAND or a path, PROGRAM {fen} {depth}, script:COMMAND, "
    "python:MODULE:CALLABLE, lib:PATH, FILE.json"
)
"""What names an engine."""
EngineOption = Annotated[str, option("--engine", "-e", type=SPEC, help=f"Engine under test: {SPECS}.")]
UciOptionsOption = Annotated[
    tuple[str, ...],
    option(
        "--option",
        "-o",
        type=UCI_OPTION,
        help="Option of the UCI engine under test: Hash=16, 'Clear Hash'; may be repeated. doctor -e lists them.",
    ),
]
NamesOption = Annotated[
    tuple[str, ...],
    option(
        "--name",
        type=NAME,
        help="What the engine is called in all that is shown. May be repeated: for each -e, then each -a or --compare.",
    ),
]
NameOption = Annotated[
    tuple[str, ...], option("--name", type=NAME, help="What the engine is called in all that is shown.")
]
AnyEngineOption = Annotated[
    str | None, option("--engine", "-e", type=SPEC, help=f"Engine under test: {SPECS}. Default: our fastest.")
]
AgainstOption = Annotated[
    tuple[str, ...], option("--against", "-a", type=SPEC, help="Reference engine; may be repeated.")
]
AloneOption = Annotated[bool, option("--alone", help="Show what the engine counts, and compare it with nothing.")]
POSITION = ValueType("POSITION", completion.positions)
PositionArgument = Annotated[
    str,
    argument(
        "POSITION",
        type=POSITION,
        help="A FEN in quotes, or a name such as startpos or kiwipete; moves may follow: 'startpos moves e2e4 e7e5'.",
    ),
]
MovesOption = Annotated[
    str, option("--moves", type=ValueType("MOVES"), help="Moves to play first, as UCI or SAN: 'e2e4 e7e5', '1. e4 e5'.")
]
DepthArgument = Annotated[int, argument("DEPTH", type=whole(0, 99), help="Plies, from 0 to 99.")]
VariantOption = Annotated[
    bool | None,
    option("--chess960/--standard", help="Chess960 only, or standard chess only. Default: what each position is."),
]
EXPLAIN = Amount({"none": 0, "three": EXPLAINED, "all": sys.maxsize}, alone="three", opposite="none")
ExplainOption = Annotated[
    int,
    option(
        "--explain",
        type=EXPLAIN,
        show_default=EXPLAIN.alone,
        help="Follow so many mismatches of a cause down to the rule, and count the others. --explain alone is three, "
        "--no-explain none.",
    ),
]
CarefulOption = Annotated[
    bool, option("--careful", help="Wait for each answer before the next question: slow, with all checks.")
]
FailFastOption = Annotated[bool, option("--fail-fast", "-x", help="Stop at the first failure.")]
FailNotReproducedOption = Annotated[
    bool,
    option("--fail-not-reproduced", help="Let failures count, too, that do not come again when asked anew."),
]
RequireAllOption = Annotated[
    bool,
    option("--require-all", help="Exit with 4 where anything was not compared, or not tried, that could be."),
]
ReportOption = Annotated[
    tuple[str, ...],
    option(
        "--report",
        type=REPORT,
        help="Write a report: a KIND (html, md, json, jsonl, junit, sarif, github, lcov) under its "
        "default name, a FILE whose ending says the kind, or KIND=PATH such as json=- ('-' is stdout); may be "
        "repeated.",
    ),
]
KeepCoverOption = Annotated[
    str | None,
    option("--keep-cover", type=FILE, help="Suite file for few positions that reach all code that was reached."),
]
JsonOption = Annotated[bool, option("--json", help="Print one JSON document instead of text.")]
TimeOption = Annotated[
    float | None,
    option("--time", type=seconds(0.1), help="Stop after this time, and report what is done: 60, 60s, 2m."),
]
JobsOption = Annotated[
    int | None,
    option(
        "--jobs",
        "-j",
        type=whole(1, 256),
        help="How many work side by side. Default: 1; fuzz: one a core, at most four; count: threads.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    option(
        "--threads",
        type=whole(1, 1024),
        help="Threads that share a large count of our own kernels. Default: as many as the machine has.",
    ),
]
HashOption = Annotated[
    int | None,
    option(
        "--hash",
        type=memory(1 << 20),
        help="Memory in which our own kernels keep counts of positions that come again: 512M, 2G.",
    ),
]
SuitesOption = Annotated[
    tuple[str, ...],
    option(
        "--suite",
        "-s",
        type=SUITE,
        help="Suite, with all its counts; may be repeated. Default: the small counts of sweep, "
        "setups, smoke, chess960-sweep, chess960-special, mirrored and chess960-castling, about ten seconds.",
    ),
]
QuickOption = Annotated[
    bool, option("--quick", help="The suites smoke, chess960-special and setups alone, about a second.")
]
MaxDepthOption = Annotated[
    int | None, option("--max-depth", type=whole(0, metavar="PLIES"), help="Leave deeper counts out.")
]
FilterOption = Annotated[
    str | None, option("--filter", type=ValueType("REGEX"), help="Only positions whose name or FEN matches.")
]
MaxNodesOption = Annotated[
    int | None,
    option("--max-nodes", type=count(0, metavar="NODES"), help="Leave larger counts out: 250000, 250k, 1.5M."),
]
TimeoutOption = Annotated[
    float,
    option("--timeout", type=seconds(0.01), help="Time that an engine may take for a count: 60, 60s, 2m."),
]
MemoryOption = Annotated[
    int | None,
    option(
        "--memory",
        type=whole(1, metavar="MIB"),
        help="Memory of an engine process, in MiB. Default: half of the machine's.",
    ),
]
SelfConsistencyOption = Annotated[
    bool, option("--self-consistency", help="Without reference: does the engine agree with itself?")
]


class Conflict(UsageError):
    """Options that are given and do not fit together; `options` are their long names."""

    def __init__(self, message: str, *options: str) -> None:
        super().__init__(message)
        self.options = options


def check_options(options: tuple[str, ...], *engines: str | None) -> None:
    """Raise Conflict where options are given, and no engine or one that takes none; what else is wrong shows later."""
    if not options:
        return
    from ...engines.opening import check_spec

    for engine in engines or (None,):
        if engine is None:
            raise Conflict("-o sets options of a UCI engine: name one with -e", "--option", "--engine")
        try:
            check_spec(EngineSpec(engine).with_options(options))
        except NoOptions as error:
            raise Conflict(str(error), "--option", "--engine") from None
        except UsageError:  # it is reported once the engine is needed
            continue


def complete_specs(settings: S) -> S:
    """Return settings in which the SPECs of engines have their options and names. Raises UsageError."""
    given: Any = settings
    options, names = getattr(given, "options", ()), getattr(given, "names", ())
    several = getattr(given, "engines", None)
    engines = tuple(filter(None, [getattr(given, "engine", None)] if several is None else several))
    tested = tuple(EngineSpec(one).with_options(options) for one in engines)
    compared = tuple(filter(None, [getattr(given, "compare", None)]))
    specs = (*tested, *map(EngineSpec, (*getattr(given, "against", ()), *compared)))
    is_about_engines = hasattr(given, "engine") or several is not None
    if not is_about_engines or not (names or options or len(specs) > 1 or any(one.is_descriptor for one in specs)):
        return settings
    if names and not tested:
        raise UsageError("--name says what an engine is called: say with -e which one", names[0])
    from ...engines.opening import name_engines

    named = name_engines(specs, names)
    changes: dict[str, Any] = {}
    if tested:
        changes = {"engine": named[0]} if several is None else {"engines": tuple(named[: len(tested)])}
    if hasattr(given, "against"):
        changes["against"] = tuple(named[len(tested) : len(specs) - len(compared)])
    if compared:
        changes["compare"] = named[-1]
    if hasattr(given, "options"):
        changes["options"] = ()
    completed: S = replace(given, **changes)
    return completed


def reject(why: str, mode: str, given: Mapping[str, object]) -> None:
    """Raise Conflict, which says why, for the first option that is given beside `mode`, by their names."""
    for name, is_given in given.items():
        if is_given:
            raise Conflict(f"{mode} {why}: leave out {name}", mode, name)


def check_threads(threads: int | None, *engines: str) -> None:
    """Raise UsageError where threads are given, and none of the engines has kernels that share a count."""
    if threads is not None and not any(EngineSpec(engine).is_own for engine in engines):
        why = f"--threads is for {', '.join(KERNELS)}: leave it out with {' and '.join(engines)}"
        raise Conflict(why, "--threads", "--engine")


def check_table(hash_bytes: int | None, *engines: str) -> None:
    """Raise UsageError if a table is asked for that one of our engines cannot use."""
    specs = dict.fromkeys(map(EngineSpec, engines))
    unable = [spec for spec in specs if spec.is_own and not spec.keeps_counts]
    if hash_bytes is not None and (unable or not any(spec.keeps_counts for spec in specs)):
        why = f"--hash is for own:turbo and own:two-plies: leave it out with {' and '.join(unable or specs)}"
        raise Conflict(why, "--hash", "--engine")


def compared_with(engine: str, against: tuple[str, ...] = (), *, alone: bool = False) -> tuple[str, ...]:
    """Return the references of an engine: our own generator where nobody says otherwise, none for our own.

    Raises UsageError where the engine is held against itself.
    """
    from ...engines.opening import REFERENCE, references_of

    if alone or against or EngineSpec(engine).is_own:
        return references_of(engine, against)
    return (REFERENCE,)


def check_alone(alone: bool, against: tuple[str, ...]) -> None:
    """Raise Conflict where an engine is to be compared with nothing and with a reference."""
    if alone and against:
        raise Conflict("--alone compares with nothing: leave out -a", "--alone", "--against")


def check_quick(quick: bool, suites: tuple[str, ...]) -> None:
    """Raise Conflict if suites are named beside --quick, which names its own."""
    if quick and suites:
        raise Conflict("--quick runs suites of its own: leave out -s", "--quick", "--suite")


def check_self_consistency(self_consistency: bool, against: tuple[str, ...]) -> None:
    """Raise Conflict where an engine is to be compared with itself and with a reference."""
    if self_consistency and against:
        raise Conflict("--self-consistency needs no reference: leave out -a", "--self-consistency", "--against")
