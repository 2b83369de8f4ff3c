"""What our pieces see and, a file for each kind, their simple moves."""
