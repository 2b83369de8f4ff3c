"""One file per command, or per group of commands: functions from settings to an exit status."""
