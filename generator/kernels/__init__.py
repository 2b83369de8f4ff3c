"""Numba kernels on bitboards from the side to move's view; all values have the type `uint64`.

"Our" pieces are those of the side to move, "their" pieces those of the opponent.
"""
