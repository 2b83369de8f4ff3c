"""Coverage of engines' code: counters, which lines were reached, and by what."""
