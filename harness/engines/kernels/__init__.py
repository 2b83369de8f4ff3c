"""Kernels that call C libraries."""
