"""Numba kernels: bitboards seen by the side to move, with all values of type `uint64`.

"Our" pieces are those of the side to move, "their" pieces those of the opponent.
"""
