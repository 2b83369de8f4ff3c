"""A run of suites: its plan, its cases in parts, and the threads that check them."""
