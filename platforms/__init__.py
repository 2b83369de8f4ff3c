"""Everything that differs between operating systems: processes, pipes, memory, signals, terminals."""
