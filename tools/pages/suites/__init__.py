"""The two bundled suites of systematic positions: `mirrored` and `chess960-castling`.

Many faults show on one wing, for one color or on one file only. These suites ask about all of them.
"""
