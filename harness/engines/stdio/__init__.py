"""Engines as child processes: processes, descriptors, dialects, and probing for the correct dialect."""
