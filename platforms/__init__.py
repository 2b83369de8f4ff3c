"""Platform-specific code: processes, pipes, memory, signals and terminals."""
