"""Does the validator accept exactly the moves that the generator lists?"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.kernels.tables import available_backends
from ..model import Discrepancy
from .base import Probe, discrepancies_in, finding_here
from .lists import wrong_codes
from .subject import Subject


class Validator:
    """Gives the validator all 65,536 patterns of 16 bits: every origin, target, promotion and kind."""

    names = ("validator",)

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        expected = sorted(probe.position.legal_moves)
        for backend in available_backends():
            accepted = self._subject.accepted(probe.position, backend)
            if sorted(accepted) != expected:
                wrong = wrong_codes(probe.position, accepted, expected)
                note = f"among the moves that the validator accepts, with the {backend} tables"
                yield from discrepancies_in(self.names[0], finding_here(probe, wrong, note), probe.line)
