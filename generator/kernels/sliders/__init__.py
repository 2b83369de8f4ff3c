"""Slider attacks from tables that are indexed by PEXT or by magic numbers."""
