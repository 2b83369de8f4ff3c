"""Choosing the positions of the suites `smoke` and `special` by the faults that their counts show."""
