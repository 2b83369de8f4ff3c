"""Squares, pieces, moves, and conversion between White's and the side to move's views of the board."""
