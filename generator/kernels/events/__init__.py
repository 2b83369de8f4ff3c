"""Kernels that tell which rare events a position meets: one file for each theme, `census` for all."""
