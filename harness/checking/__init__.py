"""Checking: run suites, compare divides, follow a difference to its cause, say who is wrong."""
