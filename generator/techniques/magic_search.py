"""The search for magic numbers: draw sparse numbers until one sends no two different attack sets to one index.

There is no known way to compute a magic number, but they are common enough to be found by chance. The draws
of a square are a fixed sequence, so all that has to be remembered of a search is how many draws it
took. `TRIES` has that for each square; `python -m perft_check.generator.techniques.magic_search`
searches them all again, which takes some seconds.
"""

from __future__ import annotations

from itertools import count

import numpy as np
import numpy.typing as npt

from ..kernels import geometry
from ..kernels.sliders.magic import Words, attacks_of_subsets, blocker_subsets, place_attacks

ROOK, BISHOP = 0, 1
DIRECTIONS = (geometry.ROOK_DIRECTIONS, geometry.BISHOP_DIRECTIONS)
TRIES = tuple(
    tuple(map(int, tries.split()))
    for tries in (
        """
    640617 424905 878244 219462 164542  48639  81026 147252
    329406  75791  87444  29832   8565  13145  21124  39869
    321721  39307  13174 185529 184229 451126  34708 155171
    8722   7619 194328  28830 245452   6662  29007  73068
    24992   4308 143327  24759 338168 102905  15661  66682
    35614  11052 128667 251380 164976 650843   4755  26367
    76816   2187  19215 104717  29718 261955  55723 147494
    5803  71084  30724 487612  70856 114232  56675  91688
        """,
        """
    19190   4383   1827    556    478    212   2461  26696
    1010   5755    653    376   2070   6700    646   4810
    2474   5447   6963   7306  25990   6389   4608   1369
    1884   1488   1012 102523 129926   6709   7727   1819
    3921   3219  14213 216487 158934  21685    255    698
    356   4439   4135   2968   9052   8348   1102   2258
    10333  10468   4678    180   1400   3542   1653   4791
    281   4963    577    631   1388   5831    166  14656
        """,
    )
)
"""How many draws failed before a magic number, by piece and square from a1 to h8."""
_BATCH = 4096
_SEED = 1_000_003


def _mix(numbers: Words) -> Words:
    """Return well-mixed words, one for each of `numbers` (the last step of SplitMix64)."""
    numbers = numbers * np.uint64(0x9E37_79B9_7F4A_7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58_476D_1CE4_E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D0_49BB_1331_11EB)
    return numbers ^ numbers >> np.uint64(31)


def candidates(piece: int, square: int, tries: Words) -> Words:
    """Return the numbers drawn at the given tries for a `piece` on `square`, each with about eight bits set."""
    first = np.uint64(_SEED + piece * 64 + square) << np.uint64(32) | tries * np.uint64(3)
    return _mix(first) & _mix(first + np.uint64(1)) & _mix(first + np.uint64(2))


def magic(piece: int, square: int) -> int:
    """Return the magic number of a `piece` on `square`."""
    return int(candidates(piece, square, np.array([TRIES[piece][square]], dtype=np.uint64))[0])


def find_tries(piece: int, square: int) -> int:
    """Return the first try whose number is magic for a `piece` on `square`.

    A number that moves fewer than six bits of the mask into the top eight is not worth the full test.
    """
    mask = geometry.blocker_mask(square, DIRECTIONS[piece])
    subsets = blocker_subsets(mask)
    attacks = attacks_of_subsets(square, DIRECTIONS[piece], subsets)
    few = np.arange(0, len(subsets), max(1, len(subsets) // 64))
    shift = np.uint64(65 - len(subsets).bit_length())
    for start in count(0, _BATCH):
        tries = np.arange(start, start + _BATCH, dtype=np.uint64)
        drawn = candidates(piece, square, tries)
        hopeful = np.flatnonzero(np.bitwise_count(np.uint64(mask) * drawn >> np.uint64(56)) >= 6)
        for place in hopeful[_keep_apart(subsets[few], attacks[few], drawn[hopeful], shift)]:
            if place_attacks(subsets, attacks, int(drawn[place])) is not None:
                return start + int(place)
    raise AssertionError("unreachable")


def _keep_apart(subsets: Words, attacks: Words, magics: Words, shift: np.uint64) -> npt.NDArray[np.bool_]:
    """Return which of `magics` send no two of a few subsets with different attacks to one index."""
    kind = np.unique(attacks, return_inverse=True)[1].astype(np.uint64)
    keys = np.sort((magics[:, None] * subsets >> shift) << np.uint64(32) | kind, axis=1)
    differs = keys[:, 1:] ^ keys[:, :-1]
    clash: npt.NDArray[np.bool_] = ((differs != 0) & (differs < 1 << 32)).any(axis=1)
    return ~clash


if __name__ == "__main__":
    for each in (ROOK, BISHOP):
        print(*(find_tries(each, square) for square in range(64)), flush=True)
