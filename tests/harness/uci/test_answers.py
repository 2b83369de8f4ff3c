"""What is answered to each command, given in its turn."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from perft_check.errors import UsageError
from perft_check.generator import Position
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio.lines import is_rejection
from perft_check.harness.uci import DECLARATIONS, NOTHING_TO_DO, Answers, Options, with_option

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
CASTLING_960 = "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1"
CHESS960 = "setoption name UCI_Chess960 value true"


def answers(*commands: str) -> str:
    """Return all that is answered to commands that are given one after the other."""
    asked, said = Answers("two-plies"), list[str]()
    for command in commands:
        said.append(asked.to(command.split(), EngineCall(), said.append))
    return "".join(said)


def fen_after(*commands: str) -> str:
    """Return the FEN that `d` prints after commands without an answer."""
    answer = answers(*commands, "d")
    return next(line.removeprefix("Fen: ") for line in answer.splitlines() if line.startswith("Fen: "))


def test_a_count_has_root_moves_and_a_total() -> None:
    answer = answers("position startpos", "go perft 1")
    moves = [f"{move.uci()}: 1" for move in Position.start().legal_moves]
    assert answer == "\n".join([*moves, "", "Nodes searched: 20", "", ""])
    assert answers("go perft 2").endswith("\n\nNodes searched: 400\n\n")
    assert answers(f"position fen {KIWIPETE}", "go perft 4").endswith("\n\nNodes searched: 4085603\n\n")


def test_a_position_that_needs_chess960_is_taken_for_one() -> None:
    asked = (f"position fen {CASTLING_960}", "go perft 1")
    assert answers(*asked) == answers(CHESS960, *asked)
    assert "d1b1: 1" in answers(*asked).splitlines()


def test_the_command_perft_is_short_for_go_perft() -> None:
    for commands in (("perft 3",), ("go perft 3",), ("go depth 9 perft 3",), ("go perft 3 depth 9",)):
        assert answers(*commands) == answers("go perft 3"), commands


def test_a_position_without_moves_has_no_leaf_nodes_and_depth_0_has_one() -> None:
    mate = "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    assert answers(mate, "go perft 3") == "\nNodes searched: 0\n\n"
    assert answers(mate, "go perft 0") == "\nNodes searched: 1\n\n"


def test_a_depth_that_is_none_is_refused_in_a_line() -> None:
    for text in ("-1", "x", "201", "9" * 5_000, "", "1.5", "\N{ARABIC-INDIC DIGIT THREE}", "2_0"):
        said = answers(f"go perft {text}")
        assert said.startswith("info string the depth of perft must be a whole number from 0 to 200, not '"), text
        assert said.count("\n") == 1
        assert len(said) < 450


def test_a_search_ends_at_once_without_a_move() -> None:
    for asked in ("go", "go infinite", "go depth 5", "go wtime 1000 btime 1000", "go searchmoves e2e4"):
        info, best = answers(asked).splitlines()
        assert info == "info string perft-check counts and does not search: send go perft DEPTH"
        assert best == "bestmove 0000"


def test_an_en_passant_square_is_shown_where_a_pawn_stands_ready_to_take() -> None:
    assert fen_after("position startpos moves e2e4").split()[3] == "-"
    assert fen_after("position startpos moves e2e4 g8f6 e4e5 d7d5").split()[3] == "d6"
    assert fen_after("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").split()[3] == "-"
    pinned = "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert fen_after(f"position fen {pinned}") == pinned
    pinned = "k7/8/8/KPp4r/8/8/8/8 w - c6 0 1"
    assert fen_after(f"position fen {pinned}") == pinned


def test_castling_rights_are_files_of_rooks_in_chess960() -> None:
    assert fen_after(CHESS960, f"position fen {CASTLING}") == CASTLING.replace("KQkq", "HAha")
    assert fen_after(f"position fen {CASTLING}") == CASTLING
    assert fen_after(f"position fen {CASTLING}", CHESS960) == CASTLING  # it is for positions to come


def test_moves_are_played() -> None:
    castled = "r3k2r/8/8/8/8/8/8/R4RK1 b {} - 1 1"
    for move in ("e1g1", "e1h1"):
        assert fen_after(f"position fen {CASTLING} moves {move}") == castled.format("kq")
        assert fen_after(CHESS960, f"position fen {CASTLING} moves {move}") == castled.format("ha")
    promoting = "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves"
    for move, piece in {"a7a8q": "Q", "a7a8Q": "Q", "a7a8n": "N"}.items():
        assert fen_after(f"{promoting} {move}") == f"{piece}3k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert fen_after("position startpos moves") == START
    assert fen_after("position fen 4k3/8/8/8/8/8/8/4K2R w K -") == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def refused() -> Iterable[tuple[str, str]]:
    """Yield what cannot be a position, and what is said to it."""
    form = "invalid position: write 'startpos' or 'fen FEN', optionally followed by 'moves MOVE ...'"
    for words in ("", " foo", f" {START}", " startpos e2e4", " moves e2e4"):
        yield f"position{words}", form
    yield "position fen", "invalid FEN: a FEN has six fields, or four without the counters, not 0"
    yield "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "invalid FEN: White has no king"
    yield (
        "position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
        "invalid FEN: castling right 'Q' is not possible: White has no rook to the left of the king",
    )
    yield "position startpos moves e2e4 e2e4", "illegal move 2: e2e4 is not legal in "
    yield "position startpos moves 0000", "illegal move 1: '0000' is not a move in UCI notation, such as e2e4 or e7e8q"
    yield f"position startpos moves {'x' * 100_000}", "illegal move 1: 'xxxx"


def test_a_position_that_is_refused_leaves_the_last_one() -> None:
    for command, said in refused():
        info, *after = answers(f"position fen {CASTLING}", command, "d").split("\n")
        assert info.startswith(f"info string {said}"), (command, info)
        assert len(info) < 450
        assert f"Fen: {CASTLING}" in after
        assert is_rejection(info), info


def test_unknown_commands_are_named_and_commands_without_effect_have_no_answer() -> None:
    assert answers("isready") == "readyok\n"
    for command in NOTHING_TO_DO:
        assert answers(command, f"{command} on") == ""
    assert answers("pertf 3") == "info string unknown command 'pertf': did you mean 'perft'?\n"
    known = "uci, stop, quit, isready, setoption, position, d, go, perft, ucinewgame, debug, register, ponderhit"
    assert answers("\x1b[31m") == f"info string unknown command '\\x1b[31m': choose from {known}\n"
    assert len(answers("x" * 100_000)) < 450


def test_checkers_are_listed() -> None:
    assert answers("position fen 3qk3/8/8/8/8/5n2/3q4/R3K2R w KQ - 12 1", "d").endswith("\nCheckers: d2 f3 \n")
    assert answers("d").endswith("\nCheckers: \n")


def test_a_table_that_cannot_be_is_refused_in_a_line() -> None:
    too_large = answers("setoption name Hash value 33554432", "go perft 1")
    assert too_large.startswith("info string not enough memory for a hash table of 33,554,432 MiB and ")
    assert too_large.endswith("\nNodes searched: 20\n\n")
    asked = Answers("list")
    why = "option Hash works with own:turbo and own:two-plies only: this kernel has no table"
    assert (
        asked.to(["setoption", "name", "Hash", "value", "2"], EngineCall(), list[str]().append)
        == f"info string {why}\n"
    )
    assert asked.to(["go", "perft", "2"], EngineCall(), lambda _: None).endswith("Nodes searched: 400\n\n")


def test_options_are_declared_as_stockfish_does() -> None:
    assert DECLARATIONS.splitlines() == [
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name UCI_Chess960 type check default false",
    ]


def test_options_are_set() -> None:
    options = Options()
    for words in ("name Hash value 64", "name threads value 8", "name UCI_CHESS960 value True"):
        options = with_option(options, words.split())
    assert options == Options(chess960=True, hash_mib=64, threads=8)
    assert with_option(options, ["name", "UCI_Chess960", "value", "false"]) == Options(False, 64, 8)


def test_options_that_are_none_are_refused_in_a_line() -> None:
    form = "invalid setoption: write setoption name NAME value VALUE"
    for words, said in {
        "": form,
        "name": form,
        "name Hash": form,
        "Hash 64": form,
        "name Hash value": form,
        "name Hash value 0": "option Hash must be a whole number from 1 to 33554432, not '0'",
        "name Hash value 1 GB": "option Hash must be a whole number from 1 to 33554432, not '1 GB'",
        "name Threads value 1025": "option Threads must be a whole number from 1 to 1024, not '1025'",
        "name UCI_Chess960 value yes": "option UCI_Chess960 must be true or false, not 'yes'",
        "name Skill Level value 3": "no option 'Skill Level': choose from Threads, Hash, UCI_Chess960",
        "name Hsh value 3": "no option 'Hsh': did you mean 'Hash'?",
    }.items():
        with pytest.raises(UsageError) as refusal:
            with_option(Options(), words.split())
        assert str(refusal.value) == said
        assert answers(f"setoption {words}") == f"info string {said}\n"


def test_a_count_that_is_stopped_says_how_far_it_came() -> None:
    asked, call, said = Answers("turbo"), EngineCall(), list[str]()

    def stop_at_the_third(part: str) -> None:
        said.append(part)
        if len(said) == 3:
            call.stop()

    end = asked.to(["perft", "4"], call, stop_at_the_third)
    assert [line[:4] for line in said] == [move.uci() for move in Position.start().legal_moves[:3]]
    assert end == "info string stopped: 3 of 20 root moves counted\n"
    assert asked.to(["perft", "9"], call, said.append) == "info string stopped: 0 of 20 root moves counted\n"
    assert asked.to(["perft", "1"], EngineCall(), said.append).endswith("\nNodes searched: 20\n\n")
