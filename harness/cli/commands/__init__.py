"""What each command of the program does: one file per command, one function that returns the exit status."""
