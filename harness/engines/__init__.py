"""Engines: sessions, engine types, and the processes in which engines run."""
