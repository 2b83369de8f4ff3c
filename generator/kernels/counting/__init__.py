"""Perft in kernels: by popcount, by lists, and by kind of move."""
