"""Report file formats: a module for each format, and the table of all formats."""
