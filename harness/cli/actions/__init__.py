"""Implementations of the commands: functions that return an exit status."""
