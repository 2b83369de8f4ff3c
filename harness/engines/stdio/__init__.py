"""Engines as child processes: processes, descriptors, dialects, and the search for the right dialect."""
