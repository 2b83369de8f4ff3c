"""Where to begin: a position of the user, a failure of a report, a finding of a corpus."""

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
from ..model.results.events import CaseResult
from ..model.results.verdict import Verdict

DEFAULT_DEPTH = 3
MOST_DEPTH = 99
_MOST_NODES = 5_000_000
"""A case of a suite is opened at its deepest count up to this one."""
_ENDINGS = (".json", ".jsonl", ".epd", ".perft")
OURS = "own:turbo"
"""The reference of a failure that was counted with a known cause: perft-check's own generator."""


@dataclass(frozen=True)
class Place:
    """A position to look at."""

    name: str
    """What it is called in a list."""
    position: Position
    depth: int
    """Plies, at least 1."""
    path: tuple[str, ...] = ()
    """Moves in UCI notation to go to at first."""
    engine: str | None = None
    """The engine of the report, and ..."""
    reference: str | None = None
    """... what it was compared with."""
    note: str = ""
    """What is wrong there, in a line."""


def places_of(text: str, chess960: bool | None = None) -> tuple[Place, ...]:
    """Return the places that `text` names: a FEN, a position's name, a report, or a suite such as a corpus.

    Raises UsageError and SuiteError, with a line that says what is wrong.
    """
    path = Path(text)
    if not _is_file(path, text):
        try:
            position = resolve_position(text, chess960)
        except UserError:
            if _exists(path):
                raise UsageError(f"{text} is no file: name a report, or a suite such as a corpus") from None
            raise
        return (Place(text if "/" not in text else "position", position, DEFAULT_DEPTH),)
    if (report := _report(path)) is None:
        return tuple(_make_printable(_of_case(case)) for case in load_suite(path, chess960))
    try:
        names = {spec: name for one in report for spec, name in one.get("names", {}).items()}
        places = tuple(_make_printable(place, names) for place in _of_report(report))
    except (KeyError, OverflowError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{path} is JSON, but no report of perft-check that can be read: {error}") from None
    if not places:
        raise UsageError(f"{path} has no position that failed: there is nothing to look at")
    return places


def place_of(result: CaseResult, engine: str) -> Place:
    """Return the place of a case that failed in a run of `engine`."""
    difference, finding = result.difference, result.finding
    return Place(
        name=result.name,
        position=Position.from_fen(result.fen, result.chess960),
        depth=max(1, result.depth),
        engine=engine,
        reference=(OURS if result.like else None) if difference is None else difference.reference,
        note=result.message if finding is None else finding.headline,
    )


def _is_file(path: Path, text: str) -> bool:
    """Return True if the user means a file. A FEN may look like a path, but no file has the name of a FEN."""
    if text.lower().endswith(_ENDINGS):
        return True
    try:
        return " " not in text.strip() and path.is_file()
    except (OSError, ValueError):
        return False


def _exists(path: Path) -> bool:
    """Return True if there is a folder or a device of this name; "" names none, though its path is this folder."""
    try:
        return path != Path() and path.exists()
    except (OSError, ValueError):
        return False


def _report(path: Path) -> list[Mapping[str, Any]] | None:
    """Return the objects of a JSON document or of JSON lines, or None if the file is something else."""
    if path.is_fifo():
        raise UsageError(f"{path} is a pipe, which may never end: name a file")
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
        raise UsageError(f"{path} is JSON nested too deep to be a report of perft-check") from None
    except ValueError:
        try:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise UsageError(f"{path} is no JSON that can be read: {error}") from None
    objects = found if isinstance(found, list) else [found]
    if not all(isinstance(one, dict) and "kind" in one for one in objects):
        raise UsageError(f"{path} is JSON, but no report of perft-check: write one with --report json=FILE")
    return objects


def _of_report(objects: list[Mapping[str, Any]]) -> Iterator[Place]:
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


def _make_printable(place: Place, names: Mapping[str, str] = {}) -> Place:
    """Return the place in printable texts, with the names of its engines. Raises TypeError if one is no text."""
    for text in (place.name, place.note, place.engine, place.reference, *names.values()):
        if not isinstance(text, str | None):
            raise TypeError(f"{text!r} is no text")
    shown = replace(place, name=_printable(place.name), note=_printable(place.note or ""))
    return replace(shown, engine=_with_name(place.engine, names), reference=_with_name(place.reference, names))


def _with_name(spec: str | None, names: Mapping[str, str]) -> str | None:
    """Return a SPEC with its name, which a user has given to it unless it only distinguishes the engines."""
    if spec is None or (name := names.get(spec)) in (None, short_name(spec)):
        return spec
    return EngineSpec(spec, shorten(_printable(name), MAX_NAME_LENGTH), has_given_name=name != short_names(names)[spec])


def _printable(text: str) -> str:
    """Return the text with a mark for each character that would steer a terminal, or that none can write."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _has_failed(result: Mapping[str, Any]) -> bool:
    return Verdict(result["verdict"]).is_failure


def _of_result(result: Mapping[str, Any], engine: str | None) -> Place:
    difference, finding = result["difference"], result["finding"]
    return Place(
        name=f"{result['suite']}:{result['name']}",
        position=_position(result["fen"], result["chess960"]),
        depth=_depth(result["depth"]),
        engine=engine,
        reference=difference["reference"] if difference else OURS if result.get("like") else None,
        note=_headline(finding) or result["message"],
    )


def _of_finding(finding: Mapping[str, Any], engine: str | None) -> Place:
    place, found = finding["place"], finding["finding"]
    moves = len(place["moves"])
    below = 1 if found is None else len(found["path"]) + found["depth"]
    game = Game.from_uci(_position(place["fen"], place["chess960"]), " ".join(place["moves"]))
    return Place(
        name=finding["name"],
        position=game.base,
        depth=_depth(max(moves + 1, moves + below)),
        path=tuple(place["moves"]),
        engine=engine,
        note=_headline(found) or finding["message"],
    )


def _of_divide(divide: Mapping[str, Any]) -> Place:
    return Place(
        name="divide",
        position=_position(divide["fen"], divide["chess960"]),
        depth=_depth(divide["depth"]),
        engine=divide["engine"],
        reference=next(iter(divide["references"]), None),
        note=_headline(divide["finding"]),
    )


def _of_case(case: Case) -> Place:
    fitting = case.to_depth(max_nodes=_MOST_NODES)
    return Place(
        name=case.name,
        position=case.position,
        depth=max(fitting.max_depth, len(case.moves) + 1) if case.counts else DEFAULT_DEPTH,
        path=tuple(move.uci(case.position.chess960) for move in case.moves),
        note=case.purpose,
    )


def _headline(finding: Mapping[str, Any] | None) -> str:
    """Return what a finding says in a line."""
    wrong = [] if finding is None else [*finding["state"], *finding["wrong"]]
    return f"{wrong[0]['kind']}: {wrong[0]['uci']}, {wrong[0]['title']}" if wrong else (finding or {}).get("note", "")


def _position(fen: str, chess960: bool) -> Position:
    try:
        return Position.from_fen(fen, chess960)
    except FenError as error:
        raise ValueError(f"bad FEN {fen!r}: {error}") from None


def _depth(depth: int) -> int:
    return min(max(1, int(depth)), MOST_DEPTH)
