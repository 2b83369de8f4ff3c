"""Random games inside our own kernels, which are compared with each other at each position."""
