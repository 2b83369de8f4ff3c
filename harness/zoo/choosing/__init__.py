"""Choosing the positions of the suites in `making.CHOSEN` by the faults that their counts show."""
