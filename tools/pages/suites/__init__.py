"""The two bundled suites of systematic positions: `mirrored` and `chess960-castling`.

Many faults show only on one wing, for one color or on one file. These suites cover all wings, colors and files.
"""
