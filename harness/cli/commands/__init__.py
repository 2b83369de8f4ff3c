"""The commands: one function each, whose annotated parameters typer reads.

A command checks that its options fit together, and has `harness/cli/actions/` do the work. It imports that once it is
called, so that `--help` is instant.
"""
