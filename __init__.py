"""perft-check: a perft test harness and differential fuzzer for chess move generators."""

__version__ = "0.1.0"
