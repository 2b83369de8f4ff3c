"""Does the list of every GenType contain exactly the moves of its contract? python-chess builds the right lists."""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.kernels.tables import available_backends
from ....generator.types.moves import GenType
from ..model import Discrepancy
from .base import Probe, discrepancies_in, finding_here
from .lists import wrong_codes
from .oracle import expected_lists
from .subject import Subject


class GenTypes:
    """Compares the lists of each slider back-end as multisets."""

    def __init__(self, wanted: tuple[GenType, ...], subject: Subject) -> None:
        self._wanted, self._subject = frozenset(wanted), subject
        self.names = tuple(gentype.name.lower() for gentype in GenType if gentype in self._wanted)

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        position = probe.position
        for gentype, expected in expected_lists(probe.board).items():
            if gentype not in self._wanted:
                continue
            truth = sorted(expected)
            for backend in available_backends():
                got = self._subject.lists(position, gentype, backend)
                if sorted(got) != truth:
                    wrong = wrong_codes(position, got, expected, gentype)
                    note = f"in the list of {gentype.name}, with the {backend} tables"
                    yield from discrepancies_in(gentype.name.lower(), finding_here(probe, wrong, note), probe.line)
