"""What differs between systems: processes, pipes, memory, signals, terminals. No other room names a part of POSIX."""
