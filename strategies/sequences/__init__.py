"""Strategy for short games built to reveal state faults; each module contains one family of sequences."""

from .building import SEQUENCES, sequences

__all__ = ["SEQUENCES", "sequences"]
