"""The processes of a fuzzing run, their jobs, and what the jobs add up to."""
