"""Events, results and verdicts, command lines to copy, and how the program is stopped."""
