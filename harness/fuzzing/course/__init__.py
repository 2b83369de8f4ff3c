"""The course of a fuzzing run: when it met what for the first time, and where its CPU time went."""
