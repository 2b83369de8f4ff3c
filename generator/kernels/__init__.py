"""Numba kernels that work on bitboards as seen by the side to move; all values are `uint64`.

"Our" pieces are those of the side to move, "their" pieces those of the opponent.
"""
