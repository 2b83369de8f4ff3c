"""Mistakes of the user, told in one line."""

from __future__ import annotations


class UsageError(Exception):
    """Bad input; the message is one line that says what, where, and what to do. Exit status 2."""
