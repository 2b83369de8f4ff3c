"""The settings of each command: one frozen dataclass per command, whose docstring is its help, filled by typer.

A field has its option, its help and its default. `__post_init__` rejects options that do not fit together, in one line.
Nothing heavy is imported here, so that `--help` is instant.
"""
