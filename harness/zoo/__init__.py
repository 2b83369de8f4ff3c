"""The zoo: faults of public engines, each seeded into an otherwise right generator (see benchmarks/zoo.md).

`faults/` holds the faults; `seeded/` the generators and hooks that they override; `hunt.py` finds out
which of them our checks detect.
"""
