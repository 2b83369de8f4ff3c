"""Kernels that draw positions, write them as FEN and list what a right generator answers."""
