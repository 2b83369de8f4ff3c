"""A run of suites: its plan and schedule, counting in threads, and the explanation of failures."""
