"""Kernels that sample positions and compute the correct answers for them."""
