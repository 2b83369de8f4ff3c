"""Correct generators whose methods faults override."""
