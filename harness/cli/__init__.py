"""The command line: one file per command, options, consoles, and reports that go to files."""
