"""Counting: leaf nodes, the kinds of the moves that lead to them, and how threads share the work."""
