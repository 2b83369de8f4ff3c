"""Kernels that find the rare events in a position: one file per theme, and `census` for all of them."""
