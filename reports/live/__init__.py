"""Progress displays on stderr."""
