"""Is every GenType exactly what its contract says, by python-chess?"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.kernels.tables import available_backends
from ....generator.types.moves import GenType
from ..model import Fault
from .base import Probe, faults_in, finding_here
from .lists import wrong_codes
from .oracle import expected_lists
from .subject import Subject


class GenTypes:
    """Compares each list, of each slider back-end, as a multiset.

    CAPTURES and QUIETS being right, they make up NON_EVASIONS: the oracle builds it of them.
    """

    def __init__(self, wanted: tuple[GenType, ...], subject: Subject) -> None:
        self._wanted, self._subject = frozenset(wanted), subject
        self.names = tuple(gentype.name.lower() for gentype in GenType if gentype in self._wanted)

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults."""
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
                    yield from faults_in(gentype.name.lower(), finding_here(probe, wrong, note), probe.place)
