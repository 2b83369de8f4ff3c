"""Fuzzing: examine drawn positions, and reduce, group, store and tell what is found."""
