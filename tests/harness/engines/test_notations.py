"""Root moves in other notations than UCI, unreadable and illegal ones, from engines of every type."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from fakes.quirks import NOTATIONS
from helpers.fakes import COUNTING, quirky, quirky_engine, quirky_script, written_engine
from helpers.headlines import without_moves
from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.program import WIDE, Run
from perft_check.generator import Position
from perft_check.harness.engines.root_moves import as_king_takes_rook, divide_of_pairs
from perft_check.harness.engines.stdio.transcript import Survey, Transcript

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
KNIGHTS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
EN_PASSANT = "8/8/8/1k1pP3/8/8/8/K7 w - d6 0 1"
SUITE = (
    f"{KIWIPETE} ;D1 48 ;D2 2039\n{KNIGHTS} ;D1 24 ;D2 496\n{EN_PASSANT} ;D1 5 ;D2 44\n"
    "4k2r/2p5/8/3pP3/8/8/8/4K2R w Kk d6 0 1 ;D1 17\n"
)
NUMBERED, HASH = "line={number}. {text} {count}", "line=# {text}: {count}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine_type", "quirks"),
    [
        *(("uci", (f"notation={name}",)) for name in NOTATIONS),
        ("uci", ("notation=san", NUMBERED)),
        ("uci", ("notation=san", HASH)),
        ("cmd", ("notation=san", NUMBERED)),
        ("cmd", ("notation=figurines",)),
        ("cmd", ("notation=one-unknown",)),
        ("script", ("notation=san",)),
        ("descriptor", ("notation=hyphens", HASH)),
        ("descriptor", ("notation=castling",)),
    ],
)
def test_a_correct_engine_agrees(run: Run, tmp_path: Path, engine_type: str, quirks: tuple[str, ...]) -> None:
    (tmp_path / "mine.epd").write_text(SUITE)
    done = run("run", "-e", quirky_engine(engine_type, tmp_path, *quirks), "-s", "mine.epd", **WIDE)
    assert (done.returncode, "all 4 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine_type", "quirk", "fen"),
    [
        ("uci", "notation=san", KIWIPETE),
        ("cmd", "notation=figurines", KIWIPETE),
        ("uci", "castling=O-O", KIWIPETE),
        ("cmd", "castling=0-0", CORNERS),
        ("script", "castling=O-O", CORNERS),
        ("descriptor", "castling=0-0", KIWIPETE),
    ],
)
def test_each_root_move_is_compared(run: Run, tmp_path: Path, engine_type: str, quirk: str, fen: str) -> None:
    done = run("divide", fen, "2", "-e", quirky_engine(engine_type, tmp_path, quirk), "-a", "own", **WIDE)
    assert (done.returncode, "agree on every root move" in done.stdout) == (0, True), done.stdout


FUNCTIONS = f"""{COUNTING}
from fakes.quirks import NOTATIONS

def pairs(fen, depth, notation):
    board = chess.Board(fen)
    for move in list(board.legal_moves):
        text = NOTATIONS[notation](board, move)
        board.push(move)
        yield text, perft(board, depth - 1)
        board.pop()

def moves(fen): return [text for text, _ in pairs(fen, 1, "san")]
def divide(fen, depth): return {{text: float(count) for text, count in pairs(fen, depth, "figurines")}}
def count(fen, depth): return float(sum(count for _, count in pairs(fen, depth, "san")))
def capitals(fen, depth): return list(pairs(fen, depth, "capitals"))

class Board:
    def __init__(self, fen): self._board = chess.Board(fen)
    def legal_moves(self): return [text for text, _ in pairs(self._board.fen(), 1, "capitals")]
    def push(self, text): self._board.push_uci(text.lower())
    def pop(self): self._board.pop()
    def fen(self): return self._board.fen()
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moves", "divide", "count", "capitals"])
def test_a_function_may_answer_in_algebraic_notation(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.py").write_text(FUNCTIONS)
    (tmp_path / "mine.epd").write_text(SUITE)
    spec = f"python:mine:{name}"
    done = run("run", "-e", spec, "-s", "mine.epd", **WIDE)
    assert (done.returncode, "all 4 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr
    done = run("fuzz", "-e", spec, "-n", "15", "--jobs", "1", "--seed", "1", **WIDE)
    assert done.returncode == 0, done.stdout + done.stderr


LIBRARY = """
#include <ctype.h>
#define perft_check_divide plain_divide
#include "library.c"
#undef perft_check_divide

int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room) {
    int64_t found = plain_divide(fen, depth, out, room);
    for (int64_t i = 0; i < found; i++) {
        char *move = out[i].move;
        if (!move[4]) continue;
#ifdef WITH_SIGN
        move[5] = toupper(move[4]), move[4] = '=', move[6] = 0;
#else
        move[4] = toupper(move[4]);
#endif
    }
    return found;
}
"""
PROMOTIONS = "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1"


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine",
    [
        *("uci", "cmd", "python:mine:capitals", "python:mine:Board"),
        *(pytest.param(flags, marks=needs_cc) for flags in ("lib", "lib -DWITH_SIGN")),
    ],
)
def test_promotion_letters_may_be_capitals(run: Run, fuzz: Run, tmp_path: Path, engine: str) -> None:
    (tmp_path / "mine.py").write_text(FUNCTIONS)
    (tmp_path / "mine.epd").write_text(f"{PROMOTIONS} ;D1 18 ;D2 290\n")
    if engine.startswith("lib"):
        spec = f"lib:{built(tmp_path, LIBRARY, '-I', str(EXAMPLES / 'c'), *engine.split()[1:])}"
    else:
        spec = engine if ":" in engine else quirky_engine(engine, tmp_path, "notation=capitals")
    for done in (
        run("run", "-e", spec, "-s", "mine.epd"),
        fuzz("--replay", PROMOTIONS, "--depth", "1", "-e", spec),
        fuzz("-e", spec, "-n", "40", "--jobs", "1", "--seed", "1"),
    ):
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("fen", [KIWIPETE, KNIGHTS, chess.STARTING_FEN, EN_PASSANT])
def test_every_legal_move_is_read_in_every_notation(fen: str) -> None:
    board, position = chess.Board(fen), Position.from_fen(fen)
    for move in board.legal_moves:
        san, uci = board.san(move), as_king_takes_rook(position, move.uci())
        forms = (san, san.rstrip("+#"), san.replace("=", ""), san.replace("x", ""), board.lan(move))
        for text in (*forms, f"1.{san}", f"{san}!?"):
            assert as_king_takes_rook(position, text) == uci, text


KINGS, ROOKS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
TWO_KNIGHTS, PROMOTES = "4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
QUEEN_SIDE, BLACK = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1"
CHESS960 = "4k3/8/8/8/8/8/8/1RK2R2 w KQ - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "written"),
    [
        *((KIWIPETE, text, "e1h1") for text in ("e1g1", "e1h1")),
        *((KIWIPETE, text, "e1a1") for text in ("e1c1", "e1a1")),
        *((KIWIPETE, text, text) for text in ("e1f1", "a2a4", "0000", "")),
        (KIWIPETE, "e1b1", "e1b1"),  # not castling, after which the king is on the c- or g-file
        (ROOKS.replace("KQ", "-"), "e1g1", "e1g1"),  # without the right to castle, the text is unchanged
        (BLACK, "e8c8", "e8a8"),
        (BLACK, "e8b8", "e8b8"),
        *((CHESS960, text, text) for text in ("c1g1", "c1f1", "c1b1")),  # in Chess960, c1g1 is an ordinary king move
        (ROOKS, "O-O", "e1h1"),
        (ROOKS, "O-O-O", "e1a1"),
        (BLACK, "O-O-O", "e8a8"),
        ("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "O-O-O", "e1a1"),
        (QUEEN_SIDE.replace("Q", "-"), "O-O-O", "e1a1"),
        (QUEEN_SIDE, "O-O", "e1g1"),
        (QUEEN_SIDE, "0-0-0+", "e1a1"),
        (KINGS, "O-O-O", "e1c1"),
        ("4k3/8/8/8/8/8/8/1R3KRR w G - 0 1", "O-O", "f1g1"),
        (KINGS, "Ke3", "e1e3"),  # illegal moves from here on
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a5", "a2a5"),
        (TWO_KNIGHTS, "Nh8", "Nh8"),
        (TWO_KNIGHTS, "Nah8", "a1h8"),
        (KINGS, "a2h0", "a2h0"),
        (PROMOTES, "a7a8N", "a7a8n"),
        (PROMOTES, "a8=Q+", "a7a8q"),
    ],
)
def test_a_root_move_is_converted_to_king_takes_rook(fen: str, text: str, written: str) -> None:
    assert as_king_takes_rook(Position.from_fen(fen, chess960=None), text) == written


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


FORMS = [
    ("4k3/8/8/6pP/8/8/8/4K3 w - g6 0 1 ;D1 7", ["h5g6:hxg6"]),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 ;D1 16", ["e1c1:Castle"]),
    ("7k/4P3/8/8/8/8/8/K7 w - - 0 1 ;D1 7", ["e7e8q:e8=Q", "e7e8n:e8=N"]),
    ("7k/4P3/8/8/8/8/8/K7 w - - 0 1 ;D1 7", ["e7e8q:Queen!", "e7e8n:Knight!"]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5", ["e1d1:e1xx"]),
]
"""Cases, and root moves with the texts that replace them."""


@pytest.mark.parametrize(
    ("engine_type", "case", "misspelt"),
    [
        (engine_type, *form)
        for number, form in enumerate(FORMS)
        for engine_type in ("uci", ("cmd", "script", "descriptor")[number % 3])
    ],
)
def test_only_the_total_is_used_if_a_root_move_is_not_read(
    run: Run, tmp_path: Path, engine_type: str, case: str, misspelt: list[str]
) -> None:
    engine = quirky_engine(engine_type, tmp_path, *(f"misspells={one}" for one in misspelt))
    (tmp_path / "mine.epd").write_text(f"{case}\n")
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    assert (done.returncode, "the one position agrees" in done.stdout) == (0, True), done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "misspelt", "message"),
    [
        (*FORMS[1], "as in 'Castle: 1': e1c1 is missing"),
        (*FORMS[4], "as in 'e1xx: 1': e1d1 is missing"),
    ],
)
def test_an_unread_line_is_quoted_if_no_total_is_printed(
    run: Run, tmp_path: Path, case: str, misspelt: list[str], message: str
) -> None:
    engine = quirky_script("no-total", *(f"misspells={one}" for one in misspelt))
    (tmp_path / "mine.epd").write_text(f"{case}\n")
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    assert done.returncode == 3, done.stdout
    assert "is not understood: a root move is written in an unknown way" in done.stdout
    assert message in done.stdout


@pytest.mark.slow
def test_fuzz_compares_only_totals_if_castling_is_not_read(fuzz: Run) -> None:
    engine = quirky("misspells=e1g1:O--O", "misspells=e8g8:O--O", "misspells=e1c1:O--O--O", "misspells=e8c8:O--O--O")
    done = fuzz("-e", engine, "--examples", "40", "--seed", "4", "--jobs", "1", "--strategy", "templates", "--careful")
    assert (done.returncode, "no fault of quirks.py found in 40 positions" in done.stdout) == (0, True), done.stdout


FOUR = ["e1d1: 1", "e1f1: 1", "e1d2: 1", "e1e2: 1"]


@pytest.mark.parametrize(
    ("answer", "gap"),
    [
        ([*FOUR, "Nodes: 5"], "root moves are missing, as in e1f2"),
        (["depth: 1", *FOUR, "Time: 3", "Nodes: 5"], "root moves are missing, as in e1f2"),
        (["e1d1: 1", "Nodes: 5"], ""),
        ([*FOUR, "e1f2: 1", "Nodes: 6"], ""),
    ],
)
def test_a_total_may_include_an_unlisted_move(answer: list[str], gap: str) -> None:
    transcript = Transcript(1, None)
    for line in answer:
        transcript.add(line)
    assert transcript.total is not None
    assert transcript.gap(Position.from_fen(KINGS), transcript.total - transcript.divide().total) == gap


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine_type", "fen", "move", "rule"),
    [
        ("uci", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", "Castling through an attacked square"),
        ("cmd", "1n2k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "Castling through pieces"),
        ("script", "r3k2r/8/8/4R3/8/8/8/4K3 b kq - 0 1", "e8g8", "Castling out of check"),
        ("descriptor", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", "Castling through an attacked square"),
    ],
)
def test_illegal_castling_written_as_o_o_is_explained(
    run: Run, tmp_path: Path, engine_type: str, fen: str, move: str, rule: str
) -> None:
    engine = quirky_engine(engine_type, tmp_path, "castling=O-O", "castles-always")
    done = run("divide", fen, "1", "-e", engine, "-a", "own")
    assert (done.returncode, f"extra move: {rule}" in without_moves(done.stdout)) == (1, True), done.stdout
    assert move in done.stdout
    assert "no move" not in done.stdout


ENGINE = """
extra, in_total = {extra!r}, {in_total!r}

class Mine(UciEngine):
    def answer(self, depth):
        total = 0
        for move, below in self.counts(self.board, depth):
            total += below
            print(f"{{move.uci()}}: {{below}}")
        if not self.board.castling_rights:
            print(f"{{extra}}: 1")
            total += in_total
        print(f"Nodes searched: {{total}}")

mine = Mine()
if sys.argv[1:]:
    mine.set_up(chess.Board(sys.argv[2]), [])
    mine.answer(int(sys.argv[1]))
else:
    mine.serve()
"""
TWO = f"{chess.STARTING_FEN} ;D1 20 ;D2 400\n4k3/8/8/8/8/8/P7/4K3 w - - 0 1 ;D1 7\n"
EXTRA = {
    "a2h0": "'a2h0' is not a move: the board has no square h0.",
    "z9z9": "'z9z9' is not a move: the board has no square z9.",
    "a2a5": "The pawn on a2 cannot reach a5",
    "h1h2": "There is no piece on h1 that could move to h2.",
    "Ra8": "'Ra8' is not a move",
}


def listing(folder: Path, engine_type: str, extra: str, *, in_total: bool) -> str:
    """Return an engine that lists an illegal move in positions without castling rights."""
    spec = written_engine(folder / "mine.py", ENGINE.format(extra=extra, in_total=in_total))
    return spec if engine_type == "uci" else f"cmd:{spec.removeprefix('uci:')} {{depth}} {{fen}}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine_type", "extra", "in_total"),
    [
        ("uci", "a2h0", True),
        ("uci", "z9z9", False),
        ("uci", "a2a5", True),
        ("uci", "h1h2", False),
        ("cmd", "a2h0", False),
        ("cmd", "h1h2", True),
        ("uci", "Ra8", True),
        ("uci", "Ra8", False),
    ],
)
def test_an_illegal_root_move_is_a_mismatch_in_run(
    run: Run, tmp_path: Path, engine_type: str, extra: str, in_total: bool
) -> None:
    (tmp_path / "mine.epd").write_text(TWO)
    done = run("run", "-e", listing(tmp_path, engine_type, extra, in_total=in_total), "-s", "mine.epd", **WIDE)
    if extra == "Ra8" and not in_total:  # not recognized as a root move
        assert done.returncode == 0, done.stdout
        return
    assert done.returncode == 1, done.stdout
    assert "1 of 2 positions agree, 1 mismatch" in done.stdout
    assert EXTRA[extra] in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("extra", "in_total"), [("a2h0", True), ("a2h0", False), ("h8h0", False)])
def test_an_illegal_root_move_is_a_mismatch_in_fuzz(fuzz: Run, tmp_path: Path, extra: str, in_total: bool) -> None:
    done = fuzz("-e", listing(tmp_path, "uci", extra, in_total=in_total), "-n", "6", "--jobs", "1", "--seed", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{extra} extra: '{extra}' is not a move: the board has no square {extra[2:]}." in done.stdout
