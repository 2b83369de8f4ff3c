"""Moves explained: which rule a move breaks, or why it is legal or belongs to a list."""
