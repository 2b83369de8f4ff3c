"""Report file formats: a module per format, and the table of all formats."""
