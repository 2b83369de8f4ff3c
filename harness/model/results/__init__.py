"""Results of commands, and the events that precede them. Reports are made from these alone."""
