"""The checks of a fuzzing run: each examines one game and yields discrepancies."""
