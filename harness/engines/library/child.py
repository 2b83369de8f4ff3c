"""The process that loads a shared library: `python -m perft_check.harness.engines.library.child PATH MEMORY`.

MEMORY is the descriptor or path of the memory shared with the parent. Each line of JSON on stdin is answered by a line
on stdout:

    {"ask": "perft", "fen": FEN, "depth": N}                 ->  {"total": N}
    {"ask": "divide", "fen": FEN, "depth": N}                ->  {"divide": [[move, N], ...]}
    {"ask": "moves", "fen": FEN, "kind": N}                  ->  {"moves": [...] or null}
    {"ask": "fen", "fen": FEN, "moves": "e2e4 ..."}          ->  {"fen": FEN}
    {"ask": "predicates", "fen": FEN, "moves": "...", "names": {NAME: [TEXT, ...] or null}}
                                                             ->  {"answers": {NAME: [ANSWER, ...]}}
    {"ask": "key", "fen": FEN, "moves": "e2e4 ..."}          ->  {"key": HEX}
    {"ask": "keys", "fens": [FEN, ...]}                      ->  {"keys": [HEX or null, ...]}
    {"ask": "loop"}                                          ->  {}, after loading the compiled loop for blocks
    {"ask": "block", "bytes": N, "measured": BOOL}           ->  {"asked": N}
    {"ask": "places"}                                        ->  {"places": [N, ...]}, one per branch
    {"ask": "coverage"}                                      ->  {"counters": HEX}, counts since the last such question

Other answers are {"rejects": WHY} and {"wrong": WHAT}. The first line of output is {"offers": [...], "chess960": BOOL},
or {"refuses": WHY} if the library cannot be used.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from ....platforms.memory import open_shared
from .interface import VERSION, Functions, InvalidAnswer, NotLoaded, PositionRejected, load

Ask = Callable[[dict[str, Any]], dict[str, Any]]


def main() -> None:
    """Answer questions until the end of stdin. Output of the library is redirected to stderr."""
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def send(answer: dict[str, Any]) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    path, memory = sys.argv[1], open_shared(sys.argv[2])
    try:
        functions = Functions(load(path))
        _check(path, functions)
    except NotLoaded as refusal:
        send({"refuses": str(refusal)})
        return
    table = _table(functions, memory)
    send({"offers": functions.names(), "chess960": functions.chess960()})
    for line in questions:
        question = json.loads(line)
        send(_answer(table[question["ask"]], question))


def _check(path: str, functions: Functions) -> None:
    if "perft" not in functions.names():
        raise NotLoaded(f"{path} exports no perft_check_perft: include perft_check.h, and make the function visible")
    version = functions.version()
    if version != VERSION:
        raise NotLoaded(f"{path} is built for version {version} of perft_check.h, and this is for version {VERSION}")


def _table(functions: Functions, memory: int) -> dict[str, Ask]:
    """Return the functions that answer questions, by question type."""
    loops: list[Callable[..., int]] = []

    def loop(_question: dict[str, Any]) -> dict[str, Any]:
        from .blocks import LibraryQuestions  # imported late, because loading compiled code takes most of a second

        loops.append(LibraryQuestions(functions, memory).ask)
        return {}

    return {
        "perft": lambda one: {"total": functions.perft(one["fen"], one["depth"])},
        "divide": lambda one: {"divide": functions.divide(one["fen"], one["depth"])},
        "moves": lambda one: {"moves": functions.moves(one["fen"], one["kind"])},
        "fen": lambda one: {"fen": functions.fen_after(one["fen"], one["moves"])},
        "predicates": lambda one: {
            "answers": {
                name: functions.ask(name, one["fen"], one["moves"], texts) for name, texts in one["names"].items()
            }
        },
        "key": lambda one: {"key": functions.key(one["fen"], one["moves"])},
        "keys": lambda one: {"keys": functions.keys(one["fens"])},
        "loop": loop,
        "block": lambda one: {"asked": loops[0](one["bytes"], is_measured=one["measured"])},
        "places": lambda _one: {"places": functions.coverage_places()},
        "coverage": lambda _one: {"counters": functions.read_coverage().hex()},
    }


def _answer(ask: Ask, question: dict[str, Any]) -> dict[str, Any]:
    try:
        return ask(question)
    except PositionRejected as rejection:
        return {"rejects": str(rejection)}
    except InvalidAnswer as wrong:
        return {"wrong": str(wrong)}


if __name__ == "__main__":
    main()
