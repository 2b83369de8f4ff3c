"""Engines under test, in compiled code: their printed answers are read, and C libraries are called."""
