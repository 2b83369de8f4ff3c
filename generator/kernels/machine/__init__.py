"""Bit primitives, the compiler and its cache, and memory shared with running kernels."""
