"""Systematic errors: totals that are incorrect in the same way in all positions."""
