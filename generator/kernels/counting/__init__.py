"""Counting kernels: by population counts, by move lists, by kind of move, two plies at once, and with a hash table."""
