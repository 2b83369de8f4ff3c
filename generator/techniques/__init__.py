"""Nine alternative ways to generate moves, each in a file of its name; `registry` also has perft-check's own two.

If a technique has several files, their names begin with its name (`lookup_board`, `ray_cast_moves`). Shared code is in
`operations` and `rays`.
"""
