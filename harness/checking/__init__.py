"""Check engines: run suites, trace incorrect counts to their cause, compare move lists, and measure speed."""
