"""A pytest plugin: the lines of suites as tests of an engine, and fixtures for generators written in Python."""
