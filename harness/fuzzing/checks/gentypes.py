"""Is every GenType exactly what its contract says, by python-chess?"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.kernels.tables import Backend, available_backends
from ....generator.movelist import MoveList
from ....generator.moves import GenType, Move
from ..model import Fault
from .base import Probe, faults_in, finding_here
from .lists import wrong_codes
from .oracle import expected_lists


class GenTypes:
    """Compares each list, of each slider back-end, as a multiset."""

    names = (*(gentype.name.lower() for gentype in GenType), "union")

    def __init__(self, wanted: tuple[GenType, ...]) -> None:
        self._wanted = frozenset(wanted)

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults."""
        for gentype, expected in expected_lists(probe.board).items():
            if gentype not in self._wanted:
                continue
            truth = sorted(expected)
            for backend in available_backends():
                got = MoveList(probe.position, gentype, backend).moves
                if sorted(got) != truth:
                    yield from _faults(probe, gentype, backend, got, expected)
            if gentype is GenType.NON_EVASIONS:
                yield from _union(probe)


def _faults(probe: Probe, gentype: GenType, backend: Backend, got: list[Move], expected: list[int]) -> Iterator[Fault]:
    wrong = wrong_codes(probe.position, got, expected, gentype)
    note = f"in the list of {gentype.name}, with the {backend} tables"
    yield from faults_in(gentype.name.lower(), finding_here(probe, wrong, note), probe.place)


def _union(probe: Probe) -> Iterator[Fault]:
    """Check that CAPTURES and QUIETS together are NON_EVASIONS, by our own lists alone."""
    parts = [*MoveList(probe.position, GenType.CAPTURES).moves, *MoveList(probe.position, GenType.QUIETS).moves]
    whole = MoveList(probe.position, GenType.NON_EVASIONS).moves
    if sorted(parts) != sorted(whole):
        wrong = wrong_codes(probe.position, parts, whole, GenType.NON_EVASIONS)
        yield from faults_in("union", finding_here(probe, wrong, "in CAPTURES and QUIETS together"), probe.place)
