"""Correct generators whose methods faults override, and the wrapper that detects when a fault has an effect."""
