"""Coverage of engines' code: counters, and the question that first reached each branch."""
