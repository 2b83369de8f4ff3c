"""Root moves in algebraic notation, with hyphens or figurines, from engines of every type."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import chess
import pytest
from helpers.program import WIDE, Run
from perft_check.generator import Position
from perft_check.harness.engines.root_moves import as_king_takes_rook, divide_of_pairs
from perft_check.harness.engines.stdio.transcript import Survey, Transcript

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
SUITE = (
    f"{KIWIPETE} ;D1 48 ;D2 2039\n{PROMOTIONS} ;D1 24 ;D2 496\n8/8/8/1k1pP3/8/8/8/K7 w - d6 0 1 ;D1 5 ;D2 44\n"
    "4k2r/2p5/8/3pP3/8/8/8/4K2R w Kk d6 0 1 ;D1 17\n"
)

GENERATOR = """
import sys
sys.path.insert(0, {tests!r})
import chess
from fakes.counting import perft

FIGURINES = dict(zip("KQRBN", "\\u2654\\u2655\\u2656\\u2657\\u2658"))

def games(board, move):
    return board.san(move)

def bare(board, move):
    return board.san(move).rstrip("+#").replace("=", "").replace("O", "0")

def hyphens(board, move):
    return board.lan(move)

def figurines(board, move):
    return "".join(FIGURINES.get(letter, letter) for letter in board.san(move))

def castling(board, move):
    return board.san(move) if board.is_castling(move) else move.uci()

def one_unknown(board, move):
    return "the long step" if move.uci() in ("a2a4", "e5d6") else board.san(move)

def vague(board, move):
    san = board.san(move)
    return san[0] + san[2:] if len(san) > 3 and san[0] in "NRBQ" and san[1] in "abcdefgh12345678" else san

def marked(board, move):
    return board.san(move) + " e.p." * board.is_en_passant(move)

def in_words(board, move):
    return board.san(move) + " takes on the way" * board.is_en_passant(move)

def dots(board, move):
    return f"1... {{board.san(move)}}"

def capitals(board, move):
    return move.uci()[:4] + move.uci()[4:].upper()

def lists_king(board, move):
    return board.san(move)

def answer(board, depth, manner):
    written = globals()[manner]
    lines = {{}}
    for place, move in enumerate(board.legal_moves):
        text = written(board, move)
        board.push(move)
        lines[place, text] = perft(board, depth - 1)
        board.pop()
    if manner == "lists_king" and not board.castling_rights:
        lines[-1, "Kxh8"] = 1
    return [(text, count) for (_, text), count in lines.items()]
"""
UCI = (
    GENERATOR
    + """
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]: print("uciok", flush=True)
    elif words == ["isready"]: print("readyok", flush=True)
    elif words == ["quit"]: break
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:8]))
        for move in words[9:]: board.push_uci(move)
    elif words[:2] == ["go", "perft"]:
        pairs = answer(board, int(words[2]), sys.argv[1])
        for number, (text, count) in enumerate(pairs, 1): print({line})
        print("Nodes searched:", sum(count for _, count in pairs), flush=True)
"""
)
CALLED = (
    GENERATOR
    + """
manner, depth, fen = sys.argv[1:4]
pairs = answer(chess.Board(fen), int(depth), manner)
for number, (text, count) in enumerate(pairs, 1): print({line})
print()
print(sum(count for _, count in pairs))
"""
)
FUNCTIONS = (
    GENERATOR
    + """
def moves(fen):
    return [text for text, _ in answer(chess.Board(fen), 1, "games")]

def divide(fen, depth):
    return {{text: float(count) for text, count in answer(chess.Board(fen), depth, "figurines")}}

def count(fen, depth):
    return float(sum(count for _, count in answer(chess.Board(fen), depth, "games")))

def capital(fen, depth):
    return answer(chess.Board(fen), depth, "capitals")
"""
)
TESTS = str(Path(__file__).parents[2])
MANNERS = [
    "games",
    "bare",
    "hyphens",
    "figurines",
    "castling",
    "one_unknown",
    "vague",
    "capitals",
    "marked",
    "in_words",
    "dots",
]
LINES = {
    "plain": 'f"{{text}}: {{count}}"',
    "numbered": 'f"{{number}}. {{text}} {{count}}"',
    "hash": 'f"# {{text}}: {{count}}"',
}


def engine(folder: Path, kind: str, manner: str, line: str = "plain") -> str:
    text = {"uci": UCI, "cmd": CALLED, "script": CALLED, "descriptor": UCI}[kind]
    (folder / "mine.py").write_text(text.format(tests=TESTS, line=LINES[line].format()))
    python = shlex.quote(sys.executable)
    if kind == "descriptor":
        case = "position fen {fen}{moves}\ngo perft {depth}"
        (folder / "mine.json").write_text(json.dumps({"launch": f"{python} mine.py {manner}", "case": case}))
        return "mine.json"
    return {
        "uci": f"uci:{python} mine.py {manner}",
        "cmd": f"cmd:{python} mine.py {manner} {{depth}} {{fen}}",
        "script": f"script:{python} mine.py {manner}",
    }[kind]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "manner", "line"),
    [
        *(("uci", manner, "plain") for manner in MANNERS),
        ("uci", "games", "numbered"),
        ("uci", "games", "hash"),
        ("cmd", "games", "numbered"),
        ("cmd", "figurines", "plain"),
        ("cmd", "one_unknown", "plain"),
        ("script", "games", "plain"),
        ("descriptor", "hyphens", "hash"),
        ("descriptor", "castling", "plain"),
    ],
)
def test_correct_engine_has_no_findings_with_san(run: Run, tmp_path: Path, kind: str, manner: str, line: str) -> None:
    (tmp_path / "mine.epd").write_text(SUITE)
    done = run("run", "-e", engine(tmp_path, kind, manner, line), "-s", "mine.epd", **WIDE)
    assert (done.returncode, "all 4 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "manner"), [("uci", "games"), ("cmd", "figurines")])
def test_san_root_moves_are_compared(run: Run, tmp_path: Path, kind: str, manner: str) -> None:
    done = run("divide", KIWIPETE, "2", "-e", engine(tmp_path, kind, manner), "-a", "own", **WIDE)
    assert (done.returncode, "agree on every root move" in done.stdout) == (0, True), done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "fuzz"])
def test_an_illegal_move_in_algebraic_notation_is_a_mismatch(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "mine.epd").write_text("8/8/8/8/8/8/k6K/8 w - - 0 1 ;D1 5\n")
    spec = engine(tmp_path, "uci", "lists_king")
    words = {"run": ["-s", "mine.epd"], "fuzz": ["-n", "8", "--jobs", "1", "--seed", "1"]}[command]
    done = run(command, "-e", spec, *words, **WIDE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert " extra: The king on " in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moves", "divide", "count", "capital"])
def test_a_function_may_answer_in_algebraic_notation(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.py").write_text(FUNCTIONS.format(tests=TESTS))
    (tmp_path / "mine.epd").write_text(SUITE)
    spec = f"python:mine:{name}"
    done = run("run", "-e", spec, "-s", "mine.epd", **WIDE)
    assert (done.returncode, "all 4 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr
    done = run("fuzz", "-e", spec, "-n", "15", "--jobs", "1", "--seed", "1", **WIDE)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("fen", [KIWIPETE, PROMOTIONS, chess.STARTING_FEN, "8/8/8/1k1pP3/8/8/8/K7 w - d6 0 1"])
def test_every_legal_move_is_read_in_every_notation(fen: str) -> None:
    board, position = chess.Board(fen), Position.from_fen(fen)
    for move in board.legal_moves:
        san, uci = board.san(move), as_king_takes_rook(position, move.uci())
        for text in (
            san,
            san.rstrip("+#"),
            san.replace("=", ""),
            san.replace("x", ""),
            board.lan(move),
            f"1.{san}",
            f"{san}!?",
        ):
            assert as_king_takes_rook(position, text) == uci, text


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", "e1e3"),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a5", "a2a5"),
        ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", "Nh8", "Nh8"),
        ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", "Nah8", "a1h8"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a2h0", "a2h0"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8N", "a7a8n"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", "a7a8q"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "0-0-0+", "e1a1"),
    ],
)
def test_an_illegal_move_is_converted_if_its_origin_is_known(fen: str, text: str, uci: str) -> None:
    assert as_king_takes_rook(Position.from_fen(fen), text) == uci


def test_only_the_total_is_used_if_a_text_fits_two_moves() -> None:
    position = Position.from_fen("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1")
    divide = divide_of_pairs(position, [("Ne4", 3), ("Ne4", 4), ("Ke2", 5)], 12)
    assert (divide.is_total_only, divide.total) == (True, 12)


@pytest.mark.parametrize(
    ("lines", "pairs", "total"),
    [
        (["Nf3: 20", "e4: 20", "Nodes: 40"], [("Nf3", 20), ("e4", 20)], 40),
        (["O-O: 20", "Kf1: 20", "Nodes: 40"], [("O-O", 20), ("Kf1", 20)], 40),
        (["e2e4: 20", "c3: 400", "Nodes: 20"], [("e2e4", 20)], 20),
        (["Sf3: 20", "e4: 20", "Nodes: 40"], [], 40),
        (["d1: 20", "d2: 400", "d3: 8902", "Nodes: 8902"], [], 8902),
    ],
)
def test_moves_in_algebraic_notation_are_used_if_they_add_up(
    lines: list[str], pairs: list[tuple[str, int]], total: int
) -> None:
    for transcript in (Transcript(1, None), Survey(1, None, known=[total])):
        assert [transcript.add(line) for line in lines] == [False] * (len(lines) - 1) + [True]
        assert (transcript.pairs, transcript.total) == (pairs, total)
