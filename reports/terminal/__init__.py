"""The reports that commands print, in a module per type of result."""
