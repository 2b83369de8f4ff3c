"""Positions by the million: kernels draw them, write their FENs and say what a right generator answers."""
