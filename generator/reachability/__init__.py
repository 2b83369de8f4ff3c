"""Reachability of positions, judged by pieces, pawns and the last move."""
