"""Engines: the one way to ask them, their kinds, and the processes that they run in."""
