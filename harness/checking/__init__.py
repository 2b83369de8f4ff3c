"""Checking engines: running suites, tracing incorrect counts to their cause, comparing lists, measuring speed."""
