"""Live displays on stderr while a command works."""
