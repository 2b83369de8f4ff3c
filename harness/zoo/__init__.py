"""The zoo: faults that public engines have had, each seeded into an otherwise right generator (see docs/zoo.md)."""
