"""What the user asks of each command: one frozen dataclass per command, filled by typer from its fields.

A field has its option, its help and its default. What does not fit together is told by `__post_init__`, in one line.
Nothing heavy is imported here, so that `--help` is instant.
"""
