"""The zoo: faults of public engines, each seeded into an otherwise correct generator (see benchmarks/zoo.md).

`faults/` contains the faults, `generator.py` the generators whose methods they override, and `hunt.py` measures which
faults perft-check detects.
"""
