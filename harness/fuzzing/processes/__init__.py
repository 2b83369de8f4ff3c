"""The processes that carry out a fuzzing run."""
