"""The implementations of the commands: functions that return an exit status."""
