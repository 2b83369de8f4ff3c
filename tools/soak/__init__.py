"""Random games that run inside the kernels, and compare the kernels with each other in every position."""
