"""Lines of several plies built to show a fault that needs them: a table of sequences for each family."""

from .building import SEQUENCES, sequences

__all__ = ["SEQUENCES", "sequences"]
