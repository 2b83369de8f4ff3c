"""Compilation with Numba; no other package imports Numba."""
