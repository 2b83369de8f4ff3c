"""A pytest plugin that collects suites as tests of an engine and provides fixtures for generators in Python."""
