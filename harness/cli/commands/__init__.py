"""The commands, one function each, whose annotated parameters typer reads.

A command checks that its options can be combined, and imports its implementation from `harness/cli/actions/` only when
it is called, so that `--help` is fast.
"""
