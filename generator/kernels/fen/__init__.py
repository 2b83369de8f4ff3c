"""Kernels that read and write FENs, line by line."""
