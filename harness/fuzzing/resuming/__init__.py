"""Runs that go on where the last one has ended: what is kept of a run, and the file that keeps it."""
