"""The results of commands, and the events that lead to them: all that reports are made of."""
