"""Squares, pieces, moves, and conversion between White's view of the board and the side to move's."""
