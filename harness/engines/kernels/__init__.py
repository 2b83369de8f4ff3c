"""Engines under test, in compiled code: C libraries are called."""
