"""Fuzzing: generate positions, check the engine's answers, and minimize, explain and store the discrepancies."""
