"""Totals that are wrong in a systematic way: one error explains what an engine answers everywhere."""
