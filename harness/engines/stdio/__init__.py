"""Engines as child processes: the process itself, descriptors, and the dialects that engines print."""
