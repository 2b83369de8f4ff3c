"""Choosing the bundled suites, by a seed and by the faults that positions show."""
