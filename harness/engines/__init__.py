"""Whoever can count a position: one file per kind of engine."""
