"""The checks of a fuzzing run: each examines one line and yields what is wrong there."""
