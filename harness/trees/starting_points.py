"""The positions at which the explorer can start: a FEN, a failure in a report, or a case of a suite."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...errors import UsageError, UserError, shorten
from ...generator.game import Game
from ...generator.position import Position
from ...generator.validation import FenError
from ...suites.case import Case
from ...suites.loader import load_suite
from ...suites.positions import resolve_position
from ..engines.spec import MAX_NAME_LENGTH, EngineSpec, short_name, short_names
from ..model.results.verdict import Verdict

DEFAULT_DEPTH = 3
MAX_DEPTH = 99
_MAX_NODES = 5_000_000
"""A case of a suite is opened at the greatest depth whose count does not exceed this."""
_EXTENSIONS = (".json", ".jsonl", ".epd", ".perft")
DEFAULT_REFERENCE = "own:turbo"
"""The reference for a failure that a run attributed to a known cause without comparing root moves."""


@dataclass(frozen=True)
class StartingPoint:
    """A position to explore."""

    name: str
    position: Position
    depth: int
    """Depth of the tree in plies, at least 1."""
    path: tuple[str, ...] = ()
    """UCI moves from the position to the node that is selected first."""
    engine: str | None = None
    """The SPEC of the engine that the report names."""
    reference: str | None = None
    """The SPEC of the reference that the report names."""
    note: str = ""
    """A one-line description of the failure."""


def starting_points_of(text: str, chess960: bool | None = None) -> tuple[StartingPoint, ...]:
    """Return the starting points that `text` names: a FEN, a position's name, a report, or a suite.

    Raises UsageError or SuiteError, each with a one-line message.
    """
    path = Path(text)
    if not _is_file(path, text):
        try:
            position = resolve_position(text, chess960)
        except UserError:
            if _exists(path):
                raise UsageError(f"{text} is not a file: give a report, or a suite such as a corpus") from None
            raise
        return (StartingPoint(text if "/" not in text else "position", position, DEFAULT_DEPTH),)
    if (report := _report(path)) is None:
        return tuple(_make_printable(_of_case(case)) for case in load_suite(path, chess960))
    try:
        names = {spec: name for one in report for spec, name in one.get("names", {}).items()}
        starting_points = tuple(_make_printable(one, names) for one in _of_report(report))
    except (KeyError, OverflowError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{path} is JSON, but not a readable report of perft-check: {error}") from None
    if not starting_points:
        raise UsageError(f"{path} contains no failed position: there is nothing to explore")
    return starting_points


def _is_file(path: Path, text: str) -> bool:
    """Return True if `text` names a file. A FEN may look like a path, but never names an existing file."""
    if text.lower().endswith(_EXTENSIONS):
        return True
    try:
        return " " not in text.strip() and path.is_file()
    except (OSError, ValueError):
        return False


def _exists(path: Path) -> bool:
    """Return True if a path exists. `Path("")`, which is the current directory, does not count."""
    try:
        return path != Path() and path.exists()
    except (OSError, ValueError):
        return False


def _report(path: Path) -> list[Mapping[str, Any]] | None:
    """Return the objects in a file of JSON or JSON Lines, or None if it is neither."""
    if path.is_fifo():
        raise UsageError(f"{path} is a pipe, which may never end: give a file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        return None
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found = json.loads(text)
    except RecursionError:
        raise UsageError(f"{path} is JSON that is nested too deeply to be a report of perft-check") from None
    except ValueError:
        try:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise UsageError(f"{path} is not valid JSON: {error}") from None
    objects = found if isinstance(found, list) else [found]
    if not all(isinstance(one, dict) and "kind" in one for one in objects):
        raise UsageError(f"{path} is JSON, but not a report of perft-check: write one with --report json=FILE")
    return objects


def _of_report(objects: list[Mapping[str, Any]]) -> Iterator[StartingPoint]:
    engine: str | None = None
    for one in objects:
        engine = one.get("engine", engine)
        match one["kind"]:
            case "run":
                yield from (_of_result(result, engine) for result in one["results"] if _has_failed(result))
            case "fuzz":
                yield from (_of_finding(finding, engine) for finding in one["findings"])
            case "divide":
                yield _of_divide(one)
            case "case" if _has_failed(one):
                yield _of_result(one, engine)
            case "finding":
                yield _of_finding(one, engine)


def _make_printable(start: StartingPoint, names: Mapping[str, str] = {}) -> StartingPoint:
    """Return a starting point with printable texts and named engines. Raises TypeError if a text is not a string."""
    for text in (start.name, start.note, start.engine, start.reference, *names.values()):
        if not isinstance(text, str | None):
            raise TypeError(f"{text!r} is not a string")
    shown = replace(start, name=_printable(start.name), note=_printable(start.note or ""))
    return replace(shown, engine=_with_name(start.engine, names), reference=_with_name(start.reference, names))


def _with_name(spec: str | None, names: Mapping[str, str]) -> str | None:
    """Return a SPEC with its name from the report, marked as given unless it is the default name."""
    if spec is None or (name := names.get(spec)) in (None, short_name(spec)):
        return spec
    return EngineSpec(spec, shorten(_printable(name), MAX_NAME_LENGTH), has_given_name=name != short_names(names)[spec])


def _printable(text: str) -> str:
    """Return the text with unprintable characters, such as terminal escapes, replaced by U+FFFD."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _has_failed(result: Mapping[str, Any]) -> bool:
    return Verdict(result["verdict"]).is_failure


def _of_result(result: Mapping[str, Any], engine: str | None) -> StartingPoint:
    difference, finding = result["difference"], result["finding"]
    return StartingPoint(
        name=f"{result['suite']}:{result['name']}",
        position=_position(result["fen"], result["chess960"]),
        depth=_depth(result["depth"]),
        engine=engine,
        reference=difference["reference"] if difference else DEFAULT_REFERENCE if result.get("like") else None,
        note=_headline(finding) or result["message"],
    )


def _of_finding(finding: Mapping[str, Any], engine: str | None) -> StartingPoint:
    place, found = finding["place"], finding["finding"]
    moves = len(place["moves"])
    below = 1 if found is None else len(found["path"]) + found["depth"]
    game = Game.from_uci(_position(place["fen"], place["chess960"]), " ".join(place["moves"]))
    return StartingPoint(
        name=finding["name"],
        position=game.base,
        depth=_depth(max(moves + 1, moves + below)),
        path=tuple(place["moves"]),
        engine=engine,
        note=_headline(found) or finding["message"],
    )


def _of_divide(divide: Mapping[str, Any]) -> StartingPoint:
    return StartingPoint(
        name="divide",
        position=_position(divide["fen"], divide["chess960"]),
        depth=_depth(divide["depth"]),
        engine=divide["engine"],
        reference=next(iter(divide["references"]), None),
        note=_headline(divide["finding"]),
    )


def _of_case(case: Case) -> StartingPoint:
    fitting = case.to_depth(max_nodes=_MAX_NODES)
    return StartingPoint(
        name=case.name,
        position=case.position,
        depth=max(fitting.max_depth, len(case.moves) + 1) if case.counts else DEFAULT_DEPTH,
        path=tuple(move.uci(case.position.chess960) for move in case.moves),
        note=case.purpose,
    )


def _headline(finding: Mapping[str, Any] | None) -> str:
    wrong = [] if finding is None else [*finding["state"], *finding["wrong"]]
    return f"{wrong[0]['kind']}: {wrong[0]['uci']}, {wrong[0]['title']}" if wrong else (finding or {}).get("note", "")


def _position(fen: str, chess960: bool) -> Position:
    try:
        return Position.from_fen(fen, chess960)
    except FenError as error:
        raise ValueError(f"bad FEN {fen!r}: {error}") from None


def _depth(depth: int) -> int:
    return min(max(1, int(depth)), MAX_DEPTH)
