"""Checks of a fuzzing run; each examines a game and yields discrepancies."""
