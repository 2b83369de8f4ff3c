"""Positions and moves as text: FEN, UCI, SAN."""
