"""What happened: events and results, verdicts, errors, and how a program is stopped."""
