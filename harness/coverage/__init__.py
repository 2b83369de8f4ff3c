"""Coverage of engines' code: counters, and which lines were reached by what."""
