"""Sampled positions: their FENs agree with `Position`, and their moves and counts with python-chess."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import fields, replace
from functools import cache

import chess
import numpy as np
import pytest
from helpers.budget import CHESS960
from helpers.each import check_each
from helpers.games import leaves
from perft_check.generator import Position, perft
from perft_check.generator.events import Event, chance_of_new, event_bits
from perft_check.generator.reachability.classification import is_impossible
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.generator.sampling.sampler import MAX_DEPTH, SPARSE_DEPTHS, Pool, PositionSampler
from perft_check.strategies.common import smallest_positions, tricky_positions
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

PIECES = " nbrq"


@cache
def bases(chess960: bool) -> tuple[Position, ...]:
    """Return the bundled positions of a variant; for Chess960, those of standard chess are converted and included."""
    bundled = [case.position for suite in BUNDLED for case in load_suite(bundled_path(suite))]
    found = dict.fromkeys([*bundled, *tricky_positions(), *smallest_positions().values()])
    if chess960:
        return tuple(replace(position, chess960=True) for position in found)
    return tuple(position for position in found if not position.chess960)


def sampler(chess960: bool, seed: int = 1, castles_to_rook: bool | None = None) -> PositionSampler:
    return PositionSampler(bases(chess960), seed, chess960=chess960, castles_to_rook=castles_to_rook)


def uci_of(key: int) -> str:
    squares = chess.square_name(key & 63) + chess.square_name(key >> 6 & 63)
    return squares + PIECES[key >> 12].strip()


@pytest.mark.slow
@CHESS960
def test_sampled_positions_are_reached_by_their_games(chess960: bool) -> None:
    source = sampler(chess960)
    for _ in range(4):
        sampled = source.sample(250)
        assert len(sampled) == 250
        check_each(lambda index: check_line(source, sampled, index), range(250))  # noqa: B023
    assert source.sampled == 1000


def check_line(source: PositionSampler, sampled: PositionBatch, index: int) -> None:
    position = source.game(sampled, index).position
    assert sampled.fen(index) == position.fen(castling="shredder" if sampled.chess960 else "xfen")
    assert position == Position.from_fen(position.fen(), sampled.chess960)
    low, high = (int(word) for word in sampled.events[index])
    assert low | high << 64 == event_bits(position)


@pytest.mark.parametrize(("chess960", "to_rook"), [(False, False), (False, True), (True, True)])
def test_root_moves_agree_with_python_chess(chess960: bool, to_rook: bool) -> None:
    source = sampler(chess960, castles_to_rook=to_rook)
    sampled = source.sample(1_000)
    castled = promoted = 0

    def check(index: int) -> None:
        nonlocal castled, promoted
        board = chess.Board(sampled.fen(index), chess960=chess960)
        keys = list(sampled.roots(index))
        assert keys == sorted(keys)
        expected = {board.uci(move, chess960=to_rook) for move in board.legal_moves}
        assert {uci_of(key) for key in keys} == expected
        assert len(keys) == len(expected) == sampled.totals[index]
        castled += sum(map(board.is_castling, board.legal_moves))
        promoted += sum(move.promotion is not None for move in board.legal_moves)

    check_each(check, range(len(sampled)))
    assert castled > 20
    assert promoted > 150
    assert sampled.depths.tolist() == [1] * len(sampled)
    assert set(sampled.counts.tolist()) == {1}


@CHESS960
def test_counts_agree_with_python_chess(chess960: bool) -> None:
    source = sampler(chess960, 2)
    sampled = source.sample(60, 300)
    assert max(sampled.depths) > 2

    def check(index: int) -> None:
        board = chess.Board(sampled.fen(index), chess960=chess960)
        for key, count in sampled.roots(index).items():
            board.push(board.parse_uci(uci_of(key)))
            assert leaves(board, int(sampled.depths[index]) - 1) == count
            board.pop()

    check_each(check, range(len(sampled)))


@CHESS960
def test_each_position_is_counted_as_deep_as_the_budget_allows(chess960: bool) -> None:
    source, budget, shallow = sampler(chess960, 3), 2_000, 0
    sampled = source.sample(300, budget)

    def check(index: int) -> None:
        position, depth, total = (
            source.game(sampled, index).position,
            int(sampled.depths[index]),
            int(sampled.totals[index]),
        )
        assert perft(position, depth) == total == sum(sampled.roots(index).values())
        assert total <= budget or depth == 1
        deeper = perft(position, depth + 1)
        assert depth == MAX_DEPTH or total == 0 or deeper > budget or total**2 > 4 * budget * perft(position, depth - 1)
        nonlocal shallow
        shallow += depth < MAX_DEPTH and 0 < deeper <= budget

    check_each(check, range(len(sampled)))
    assert 1 < sampled.depths.mean() < MAX_DEPTH
    assert shallow < 10


@CHESS960
def test_sparse_positions_have_few_pieces_and_large_depths(chess960: bool) -> None:
    source, pieces, budget = sampler(chess960, 4), 9, 20_000
    sampled = source.sample_sparse(200, budget, pieces)
    assert len(sampled) == 200
    marks = np.zeros(3, dtype=np.int64)

    def check(index: int) -> None:
        game = source.game(sampled, index)
        position, depth = game.position, int(sampled.depths[index])
        assert depth in SPARSE_DEPTHS
        assert perft(position, depth) == int(sampled.totals[index]) == sum(sampled.roots(index).values()) <= budget
        assert position.occupied.bit_count() <= pieces
        assert not [oddity for oddity in position.oddities if "check" in oddity]
        near = position.pieces[0][0] & 0x00FFFF0000000000 | position.pieces[1][0] & 0x00FFFF00
        special = [position.castling != 0, position.en_passant is not None, near != 0]
        assert any(special)
        np.add(marks, special, out=marks)

    check_each(check, range(len(sampled)))
    assert (marks >= [20, 1, 20]).all()


@CHESS960
def test_the_same_seed_and_calls_give_the_same_batches(chess960: bool) -> None:
    first, again, other = sampler(chess960, 7), sampler(chess960, 7), sampler(chess960, 8)
    calls = [(40, 0), (256, 50), (1, 0)]
    blocks = [[source.sample(*call) for call in calls] + [source.sample_sparse(20, 500)] for source in (first, again)]
    assert all(same(one, two) for one, two in zip(*blocks, strict=True))
    assert not same(blocks[0][0], other.sample(40))


def same(one: PositionBatch, other: PositionBatch) -> bool:
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(PositionBatch))


def test_bases_can_be_added_between_batches() -> None:
    source = PositionSampler([Position.start()], 1)
    source.sample(10)
    before = source.bases
    mate = Position.from_fen("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")
    assert source.add([mate]) == 1
    assert source.base(before) == mate
    sampled = source.sample(300)
    assert mate.fen() in {sampled.fen(index) for index in range(300)}
    assert sampled.roots([sampled.fen(index) for index in range(300)].index(mate.fen())) == {}


def test_an_exhausted_pool_gives_no_more_positions() -> None:
    mate = Position.from_fen("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")
    source = PositionSampler([mate], 1)
    sampled = source.sample(5, 100)
    assert (len(sampled), sampled.fen(0), sampled.totals.tolist()) == (1, mate.fen(), [0])
    assert len(source.sample(5)) == 0
    assert len(source.sample_sparse(5, 100)) == 0


@CHESS960
def test_no_position_is_sampled_twice(chess960: bool) -> None:
    source = sampler(chess960)
    sampled = [source.sample(250) for _ in range(20)]
    fens = [block.fen(index).rsplit(" ", 2)[0] for block in sampled for index in range(250)]
    assert len(set(fens)) == len(fens) == 5_000


def test_a_position_with_a_new_pair_of_events_becomes_a_base() -> None:
    source = PositionSampler([Position.start()], 3)
    assert source.bases == 1
    source.sample(500)
    assert source.bases > 20
    sampled = source.sample(200)
    assert sampled.bases.max() > 0
    check_each(lambda index: check_line(source, sampled, index), range(200))


def test_a_full_pool_accepts_no_more_bases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perft_check.generator.sampling.sampler.CAPACITY", 3)
    pool = Pool(1, chess960=False)
    assert pool.add([Position.start()] * 5) == 3
    assert len(pool) == 3


def test_invalid_bases_and_requests_are_rejected() -> None:
    with pytest.raises(ValueError, match=r"^a sampler needs at least one position to start from$"):
        PositionSampler([], 1)
    chess960 = "1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1"
    with pytest.raises(ValueError, match=r"^1k1r4/8/8/8/8/8/8/1K1R4 w Kk - 0 1 needs Chess960$"):
        PositionSampler([Position.from_fen(chess960, chess960=True)], 1)
    with pytest.raises(ValueError, match=r"^in Chess960 the king's target does not distinguish castling"):
        PositionSampler([Position.start()], 1, chess960=True, castles_to_rook=False)
    with pytest.raises(ValueError, match=r"^numbers must not be negative: -1 positions, 0 nodes$"):
        PositionSampler([Position.start()], 1).sample(-1)
    with pytest.raises(ValueError, match=r"^a sparse position has at least 3 pieces, not 2$"):
        PositionSampler([Position.start()], 1).sample_sparse(1, 1, 2)
    with pytest.raises(ValueError, match=r"^the budget must not be above 1000000000 nodes, as 1000000001 is$"):
        PositionSampler([Position.start()], 1).sample(1, 10**9 + 1)


@CHESS960
def test_rare_pairs_occur_more_often_with_the_schedule(chess960: bool) -> None:
    def often(seed: int, *, is_scheduled: bool) -> int:
        source = PositionSampler(bases(chess960), seed, chess960=chess960, is_scheduled=is_scheduled)
        for _ in range(80):
            source.sample(250)
        return int(np.count_nonzero(source.pair_counts >= 8))

    # With a single seed the gain is 5 to 45 %.
    without, scheduled = (sum(often(seed, is_scheduled=one) for seed in range(1, 9)) for one in (False, True))
    assert scheduled > 1.15 * without


@CHESS960
def test_every_event_of_the_catalogue_occurs(chess960: bool) -> None:
    source = sampler(chess960)
    for _ in range(80):
        source.sample(250)
    met = {Event(number) for number in range(128) if source.event_counts[number]}
    assert met >= {event for event in Event if chess960 or not event.chess960}


def test_positions_with_each_event_are_counted() -> None:
    source = sampler(True)
    blocks = [source.sample(300) for _ in range(3)]
    words = np.concatenate([block.events for block in blocks])
    for event in Event:
        column = words[:, event.value // 64] >> np.uint64(event.value % 64) & np.uint64(1)
        assert int(source.event_counts[event.value]) == int(column.sum())
        assert sum(int(block.event_counts(300)[event.value]) for block in blocks) == int(column.sum())
        assert int(blocks[0].event_counts(7)[event.value]) == int(column[:7].sum())
    assert not blocks[0].event_counts(0).any()
    mate, single = int(Event.MATE), int(Event.CK_SINGLE)
    both = words[:, 1] >> np.uint64(mate - 64) & words[:, 1] >> np.uint64(single - 64) & np.uint64(1)
    assert int(source.pair_counts[mate, single]) == int(both.sum()) > 0


def test_the_good_turing_estimate() -> None:
    assert chance_of_new(np.array([0, 1, 1, 5]), 10) == 0.2
    assert chance_of_new(np.array([0, 2]), 10) == 0
    assert chance_of_new(np.array([], dtype=np.int64), 0) == 1
    assert chance_of_new(np.array([1, 1, 1]), 2) == 1
    with pytest.raises(ValueError, match=r"^the number of positions must not be negative, as -1 is$"):
        chance_of_new(np.array([1]), -1)


def test_the_positions_of_a_seed_are_stable() -> None:
    castling = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    sampler = PositionSampler([Position.start(), castling], 7)
    blocks = sampler.sample(300), sampler.sample(200, 4096), sampler.sample_sparse(20, 65536)
    text = b"".join(one.text.tobytes() for one in blocks)
    assert hashlib.sha256(text).hexdigest() == "996aa585ff6d25223d6fc944d7835e324bd109bdc229405d34747037a5a62fdf"


def test_changed_positions_are_possible_and_counted_correctly() -> None:
    sampler = PositionSampler([Position.start()], 1, is_scheduled=False)
    sampled = sampler.sample(300, changes=3)
    positions = [Position.from_fen(sampled.fen(index)) for index in range(len(sampled))]
    assert not any(map(is_impossible, positions))
    assert [len(position.legal_moves) for position in positions] == sampled.totals.tolist()
    counts = {position.occupied.bit_count() for position in positions}
    assert counts > {29, 30, 31}
    assert all(sampler.game(sampled, index).position == position for index, position in enumerate(positions))


def test_a_changed_position_refers_to_its_base() -> None:
    kings = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    sampler = PositionSampler([kings, Position.start()], 5, is_scheduled=False)
    sampled = sampler.sample(600, changes=1)
    men = Counter[tuple[bool, bool]]()
    for index in range(len(sampled)):
        (origin,) = sampler.origins(sampled, np.array([index]))
        assert sampled.bases[index] < 0 or origin == sampler.game(sampled, index).base
        few = [Position.from_fen(fen).occupied.bit_count() < 10 for fen in (sampled.fen(index), origin.fen())]
        men[few[0], few[1]] += int(sampled.bases[index] < 0)
    assert men[True, True] > 10
    assert men[False, False] > 100
    assert men.total() == men[True, True] + men[False, False]
    sparse = sampler.sample_sparse(20, 500)
    assert all(sparse.bases < 0)
    for index in range(len(sparse)):
        (origin,) = sampler.origins(sparse, np.array([index]))
        assert Position.from_fen(sparse.fen(index)).occupied.bit_count() <= origin.occupied.bit_count()
    assert set(sampler.origins(sampled, np.arange(600))) >= {kings, Position.start()}
    assert sampler.origins(sampled, np.zeros(0, np.int64)) == []


def test_changing_the_clock_removes_en_passant() -> None:
    base = Position.from_fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3")
    sampled = PositionSampler([base], 3, is_scheduled=False).sample(1000, changes=1)
    positions = [Position.from_fen(sampled.fen(index)) for index in range(len(sampled))]
    assert [len(position.legal_moves) for position in positions] == sampled.totals.tolist()


def test_begin_at_selects_the_base_of_the_next_walk() -> None:
    sampler = PositionSampler(
        [Position.start(), Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")], 1, is_scheduled=False
    )
    for base in (1, 0, 1):
        sampler.begin_at(base)
        assert int(sampler.sample(1).bases[0]) == base
