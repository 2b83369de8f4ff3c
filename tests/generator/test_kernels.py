"""The components of kernels: word primitives, slider tables, magic numbers, the compiler, and the cache."""

from __future__ import annotations

import ctypes
import gc
import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from helpers.program import printed_by_python
from helpers.sources import copy_generator
from numba.core import event
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction
from perft_check.generator.kernels import geometry, tables
from perft_check.generator.kernels.attacks import bishop_attacks, rook_attacks
from perft_check.generator.kernels.board import Board
from perft_check.generator.kernels.machine import bits, folders, jit
from perft_check.generator.kernels.machine.execution_mode import ExecutionMode, current_mode
from perft_check.generator.kernels.machine.jit import load_lowerings
from perft_check.generator.kernels.machine.memory import LARGE_PAGE
from perft_check.generator.kernels.machine.target import target_has_pext
from perft_check.generator.kernels.sliders import lookup, magic
from perft_check.generator.kernels.sliders.lookup import Tables

load_lowerings()
WORDS = [1, 2**63, 2**64 - 1, 0x8000000000000001, *(random.Random(1).getrandbits(64) for _ in range(200))]
PRIMITIVES: dict[str, tuple[Callable[..., np.uint64], int]] = {
    "popcount": (bits.popcount, 1),
    "lsb": (bits.lsb, 1),
    "lowest": (bits.lowest, 1),
    "rest": (bits.rest, 1),
    "byteswap": (bits.byteswap, 1),
    "pext": (lookup.pext, 2),
    "multiply": (bits.multiply, 2),
    "multiply_high": (bits.multiply_high, 2),
}


@pytest.mark.parametrize("name", [name for name in PRIMITIVES if name != "pext" or target_has_pext()])
def test_compiled_primitives_agree_with_their_python_bodies(name: str) -> None:
    primitive, arity = PRIMITIVES[name]
    cases: list[tuple[np.uint64, ...]]
    if arity == 1:
        compiled = numba.njit(lambda word: primitive(word))
        cases = [(np.uint64(word),) for word in WORDS]
    else:
        compiled = numba.njit(lambda left, right: primitive(left, right))
        cases = [(np.uint64(left), np.uint64(right)) for left, right in zip(WORDS, reversed(WORDS), strict=True)]
    for case in cases:
        assert compiled(*case) == primitive(*case), case


def test_primitives_stay_unsigned() -> None:
    compiled = numba.njit(lambda word: bits.lowest(word) | bits.rest(word) | bits.popcount(word))
    compiled(np.uint64(2**63))
    assert [overload.signature.return_type for overload in compiled.overloads.values()] == [numba.types.uint64]


def test_memory_primitives() -> None:
    words, halves = np.arange(4, dtype=np.uint64), np.arange(4, dtype=np.uint16)
    doubles, bytes_ = np.arange(4, dtype=np.uint32), np.arange(4, dtype=np.uint8)
    address, half_address = np.uint64(words.ctypes.data), np.uint64(halves.ctypes.data)
    double_address, byte_address = np.uint64(doubles.ctypes.data), np.uint64(bytes_.ctypes.data)

    def touch(
        address: np.uint64, half_address: np.uint64, double_address: np.uint64, byte_address: np.uint64
    ) -> np.uint64:
        bits.store32(double_address, bits.ONE, bits.load32(double_address, bits.ONE) + np.uint64(2**32 + 6))
        bits.store8(byte_address, bits.ONE, bits.load8(byte_address, bits.ONE) + np.uint64(200))
        bits.store(address, bits.ONE, bits.load(address, bits.ONE) + np.uint64(40))
        bits.store16(half_address, bits.ONE, bits.load16(half_address, bits.ONE) + np.uint64(70_000))
        return bits.load(address, bits.ONE)

    addresses = (address, half_address, double_address, byte_address)
    touch(*addresses)
    numba.njit(touch)(*addresses)
    assert doubles.tolist() == [0, 13, 2, 3]
    assert bytes_.tolist() == [0, (1 + 400) % 256, 2, 3]
    assert words.tolist() == [0, 81, 2, 3]
    assert halves.tolist() == [0, (1 + 140_000) % 65_536, 2, 3]


def test_calls_of_c_functions() -> None:
    """All bits of arguments and results are passed, including those of 0 and of negative numbers."""
    given: list[tuple[int, ...]] = []

    def called(text: int, number: int, *others: int) -> int:
        given.append((text, number, *others))
        return number - 2

    word, number = ctypes.c_uint64, ctypes.c_int
    count = ctypes.CFUNCTYPE(ctypes.c_int64, word, number)(called)
    fill = ctypes.CFUNCTYPE(ctypes.c_int64, word, number, word, word)(called)
    text, out, room = (np.uint64(0x1234_5678_9ABC_DEF0 + place) for place in range(3))
    calls: list[tuple[Callable[..., np.uint64], Any, tuple[np.uint64, ...]]]
    calls = [(bits.call_count, count, ()), (bits.call_list, fill, (out, room))]
    for call, function, others in calls:
        address = np.uint64(ctypes.cast(function, ctypes.c_void_p).value or 0)
        compiled = numba.njit(lambda where, *words: call(where, *words))  # noqa: B023
        for run in (call, compiled):
            for argument in range(1, 5):
                assert run(address, text, np.uint64(argument), *others) == (argument - 2) % 2**64
                assert given.pop() == (text, argument, *others)
    assert not given


@pytest.mark.parametrize("backend", [name for name in tables.BACKENDS if name != "pext" or target_has_pext()])
@pytest.mark.parametrize(
    ("attacks", "directions"), [(rook_attacks, geometry.ROOK_DIRECTIONS), (bishop_attacks, geometry.BISHOP_DIRECTIONS)]
)
def test_slider_attacks_agree_with_walking_the_rays(
    backend: tables.Backend,
    attacks: Callable[[Tables, np.uint64, np.uint64], np.uint64],
    directions: tuple[geometry.Direction, ...],
) -> None:
    draw = random.Random(2)
    compiled = numba.njit(lambda where, square, occupied: attacks(where, square, occupied))
    block = tables.tables(backend)
    for square in range(64):
        for density in range(20):
            occupied = draw.getrandbits(64) & (draw.getrandbits(64) if density % 2 else 2**64 - 1)
            expected = geometry.slider_attacks(square, directions, occupied)
            assert int(compiled(block, np.uint64(square), np.uint64(occupied))) == expected


def test_magic_tables_contain_every_blocker_set() -> None:
    # 102,400 rook and 5,248 bishop sets, as in the classic tables.
    assert sum(1 << geometry.blocker_mask(s, geometry.ROOK_DIRECTIONS).bit_count() for s in range(64)) == 102_400
    assert sum(1 << geometry.blocker_mask(s, geometry.BISHOP_DIRECTIONS).bit_count() for s in range(64)) == 5_248
    for square in range(64):
        for piece, directions in enumerate((geometry.ROOK_DIRECTIONS, geometry.BISHOP_DIRECTIONS)):
            subsets = magic.blocker_subsets(geometry.blocker_mask(square, directions))
            attacks = magic.attacks_of_subsets(square, directions, subsets)
            table = magic.place_attacks(subsets, attacks, magic.MAGICS.number(piece, square))
            assert table is not None
            assert [int(word) for word in attacks[:64]] == [
                geometry.slider_attacks(square, directions, int(subset)) for subset in subsets[:64]
            ]


@pytest.mark.slow
def test_the_seeded_search_reproduces_the_magic_numbers() -> None:
    for square in (0, 27, 63):
        assert magic.MAGICS.find_tries(magic.BISHOP, square) == magic.MAGICS.tries[magic.BISHOP][square]
    assert magic.MAGICS.find_tries(magic.ROOK, 27) == magic.MAGICS.tries[magic.ROOK][27]


def test_a_colliding_number_is_not_magic() -> None:
    subsets = magic.blocker_subsets(geometry.blocker_mask(0, geometry.ROOK_DIRECTIONS))
    attacks = magic.attacks_of_subsets(0, geometry.ROOK_DIRECTIONS, subsets)
    assert magic.place_attacks(subsets, attacks, 1) is None


def _beyond(first: int, second: int) -> int:
    rays = [geometry.ray(first, direction) for direction in geometry.KING_STEPS]
    return next((geometry.bitboard(ray[ray.index(second) + 1 :]) for ray in rays if second in ray), 0)


def test_between_beyond_and_line_of_the_tables() -> None:
    block = tables.build_block("magic")
    for first in range(64):
        for second in range(64):
            assert block[int(tables.BETWEEN) + first * 64 + second] == geometry.between(first, second)
            assert block[int(tables.BEYOND) + first * 64 + second] == _beyond(first, second)
            assert block[int(tables.LINE) + first * 64 + second] == geometry.line(first, second)


def _castling_squares(king: str, rook: str) -> tuple[set[str], set[str]]:
    block, place = tables.build_block("magic"), "abcdefgh".index(king) * 8 + "abcdefgh".index(rook)
    path, way = (int(block[int(table) + place]) for table in (tables.CASTLING_PATH, tables.CASTLING_WAY))
    return {file for bit, file in enumerate("abcdefgh") if path >> bit & 1}, {
        file for bit, file in enumerate("abcdefgh") if way >> bit & 1
    }


def test_castling_squares_of_the_tables() -> None:
    assert _castling_squares("e", "h") == ({"f", "g"}, {"f", "g"})
    assert _castling_squares("e", "a") == ({"c", "d"}, {"b", "c", "d"})
    # In Chess960, the king may stay where it is, and the rook may cross its square.
    assert _castling_squares("g", "h") == ({"g"}, {"f"})
    assert _castling_squares("b", "a") == ({"c"}, {"c", "d"})


def test_the_tables_fit_into_a_large_page() -> None:
    block = tables.build_block("pext")
    assert block.ctypes.data % LARGE_PAGE == 0
    assert block.nbytes < LARGE_PAGE


@pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python")
def test_a_subroutine_in_an_inlined_helper_is_not_inlined() -> None:
    one_more: Any = lambda number: number + np.uint64(1)  # noqa: E731 - Numba compiles what has no types
    callee: Any = jit.subroutine(one_more)
    doubled: Any = lambda number: callee(number) * np.uint64(2)  # noqa: E731 - as above
    caller = jit.inline(doubled)
    assert numba.njit(lambda number: caller(number))(np.uint64(3)) == 8
    [compiled] = callee.dispatcher.overloads.values()
    assert "alwaysinline" not in compiled.library.get_llvm_str()


def test_a_target_without_pext_uses_magic_and_rejects_pext(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "target_has_pext", lambda: False)
    assert tables.default_backend() == "magic"
    with pytest.raises(ValueError, match=r"no PEXT \(BMI2\): use the magic back-end"):
        tables.tables("pext")


@pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python")
def test_kernels_take_and_return_unsigned_words() -> None:
    def lost(number: np.uint64) -> np.uint64:
        return number + 1.0  # type: ignore[return-value]  # what the test is about

    def compared(number: np.uint64) -> np.uint64:
        return number == np.uint64(1)  # type: ignore[no-any-return]  # as above

    def kept(number: np.uint64) -> np.uint64:
        return number

    def swapped(board: Board, number: np.uint64) -> tuple[np.uint64, np.uint64]:
        return number, board.castling

    def is_set(number: np.uint64) -> bool:
        return bool(number)

    def nothing(_number: np.uint64) -> None:
        pass

    board = Board(*(np.uint64(2**64 - 1 - place) for place in range(12)))
    kernel: Any = jit.kernel
    answers: tuple[Any, ...] = (
        kernel(kept)(np.uint64(2**64 - 1)),
        kernel(swapped)(board, np.uint64(7)),
        kernel(is_set)(np.uint64(256)),
        kernel(is_set)(np.uint64(0)),
        kernel(nothing)(np.uint64(0)),
    )
    assert answers == (2**64 - 1, (7, 2**64 - 12), True, False, None)
    assert [type(answer) for answer in answers] == [np.uint64, tuple, bool, bool, type(None)]
    assert all(isinstance(word, int) for word in answers[1])
    with pytest.raises(TypeError, match=r"kernels take and return np\.uint64 and named tuples of it, not int"):
        kernel(kept)(1)
    with pytest.raises(TypeError, match=r"lost: .* holds words and integers: make all of them words"):
        kernel(lost)(np.uint64(1))
    with pytest.raises(TypeError, match="compared returns bool but is annotated as uint64"):
        kernel(compared)(np.uint64(1))


@pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python")
def test_variables_of_helpers_hold_only_words() -> None:
    def mixed(number: np.uint64) -> bool:
        shift: Any = 1
        if number:
            shift = number
        return bool(shift > 1)

    helper: Any = jit.inline(mixed)
    with pytest.raises(TypeError, match="mixed: shift holds words and integers: make all of them words"):
        numba.njit(lambda number: helper(number))(np.uint64(1))


@pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python")
def test_patches_of_numba_are_undone() -> None:
    def doubled(number: np.uint64) -> np.uint64:
        return number + number

    def squared(number: np.uint64) -> np.uint64:
        return number * number

    def lost(number: np.uint64) -> np.uint64:
        return number + 1.0  # type: ignore[return-value]  # what the test is about

    changed = (
        (BaseFunction, "get_call_type"),
        (TypeInferer, "return_types_from_partial"),
        (event, "start_event"),
        (event, "end_event"),
    )
    before = [getattr(owner, name) for owner, name in changed], gc.isenabled()
    kernel: Any = jit.kernel
    with ThreadPoolExecutor() as threads:
        found = list(threads.map(lambda function: kernel(function)(np.uint64(4)), (doubled, squared)))
    assert found == [8, 16]
    with pytest.raises(TypeError):
        kernel(lost)(np.uint64(4))
    assert ([getattr(owner, name) for owner, name in changed], gc.isenabled()) == before


CASTLE = """
import numba
before = numba.config.CACHE_DIR
from perft_check.generator import Move, MoveKind, Position
castle = Move.make(4, 7, MoveKind.CASTLING)
print(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").play_unchecked(castle).fen().split()[0])
assert numba.config.CACHE_DIR == before, "the user's setting is not changed"
"""
"""A program that uses the kernel that compiles fastest."""
CASTLED = "4k3/8/8/8/8/8/8/5RK1\n"


def _compiled_files(cache: Path) -> dict[str, set[str]]:
    return {folder.name: {file.name for file in folder.glob("*.kernel")} for folder in cache.glob("kernels-*")}


@pytest.mark.slow
def test_kernels_are_cached_by_their_sources(tmp_path: Path) -> None:
    """Kernels of at most four source versions are kept, including the latest."""
    # A copy of the package in which a helper (not the entry point) can be edited.
    cache, home = tmp_path / "cache", tmp_path / "home"
    generator = copy_generator(home)
    for number in range(7):
        (cache / f"kernels-old{number}").mkdir(parents=True)
        os.utime(cache / f"kernels-old{number}", (number, number))
    code = f"import sys; sys.path.insert(0, {str(home)!r})\n{CASTLE}"
    latest = f"kernels-{folders.source_digest()}"
    cached = {"NUMBA_CACHE_DIR": str(cache)}
    assert printed_by_python(code, **cached) == CASTLED
    first = _compiled_files(cache)
    assert set(first) == {latest, "kernels-old6", "kernels-old5", "kernels-old4"}
    assert len(first[latest]) == 1
    assert printed_by_python(code, **cached) == CASTLED
    assert _compiled_files(cache) == first

    helper = generator / "kernels" / "castling.py"
    wrong = helper.read_text().replace("return F1 if", "return D1 if")
    assert wrong != helper.read_text()
    helper.write_text(wrong)
    assert printed_by_python(code, **cached) == "4k3/8/8/8/8/8/8/3R2K1\n"  # compiled again, not served stale
    assert len(set(_compiled_files(cache)) - set(first)) == 1
