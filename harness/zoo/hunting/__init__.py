"""Hunting faults: one hunt, many of them, their results, and the score."""
