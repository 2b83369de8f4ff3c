"""Kernels that draw positions and list what a right generator answers."""
