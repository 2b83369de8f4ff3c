"""Generators with a fault in them: the hooks that a fault replaces, and the right generator beside it."""
