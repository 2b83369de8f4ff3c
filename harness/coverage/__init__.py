"""Coverage of engines' code: counters, and what reached each line."""
