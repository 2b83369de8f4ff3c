"""Kernels that test kernels: random games in which all answers about a position are compared."""
