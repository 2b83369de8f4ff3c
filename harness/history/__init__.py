"""The history of runs, a SQLite file: keeping runs in it, reading them, comparing two of them."""
