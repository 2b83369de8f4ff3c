"""Choosing suites by the faults that they show."""
