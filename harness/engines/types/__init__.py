"""The kinds of engines, one a file."""
