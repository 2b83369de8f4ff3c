"""Positions sampled by kernels in batches, with the correct answers."""
