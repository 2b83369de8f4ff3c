"""Numba kernels: bitboards in the frame of the side to move, and nothing but `uint64`."""
