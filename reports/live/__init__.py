"""Displays on stderr while a command works."""
