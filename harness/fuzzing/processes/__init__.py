"""The processes of a fuzzing run, their jobs and messages, and the schedule of the jobs."""
