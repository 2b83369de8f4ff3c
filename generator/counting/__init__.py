"""Counting leaf nodes, classifying leaf moves, and distributing large counts over threads."""
