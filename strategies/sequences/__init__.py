"""Strategy for games of several plies built to show faults of the state; each module has one family of sequences."""

from .building import SEQUENCES, sequences

__all__ = ["SEQUENCES", "sequences"]
