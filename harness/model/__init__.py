"""Results (`results/`), command lines to copy, how values are written, and how the program is stopped."""
