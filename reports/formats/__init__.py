"""Formats of reports that go to files: one file per format, and the table of all."""
