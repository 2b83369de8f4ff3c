"""Compiling by Numba, which nothing else imports."""
