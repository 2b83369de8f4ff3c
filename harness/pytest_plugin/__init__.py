"""A pytest plugin: positions of suites as tests of an engine, and fixtures to test generators written in Python."""
