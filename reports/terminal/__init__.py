"""The reports that commands print, with a module for each type of result."""
