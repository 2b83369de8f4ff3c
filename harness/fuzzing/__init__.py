"""Fuzzing: draw positions, examine them with checks, and reduce, group and keep the discrepancies."""
