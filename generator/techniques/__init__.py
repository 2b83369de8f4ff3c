"""Nine other ways to generate moves, each in a file of its name; `registry` names them all, and our own two.

Where a technique needs more than one file, the others begin with its name (`lookup_board`, `ray_cast_moves`).
What several share is in `vocabulary` and `rays`; `tracing` follows their walks.
"""
