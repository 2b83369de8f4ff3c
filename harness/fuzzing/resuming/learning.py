"""What the processes of a run have learned, put together, and what the next batch is to know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....generator.drawing.experience import Experience, Learned


class Learning:
    """The experience of each variant, which grows as batches end."""

    def __init__(self, before: Mapping[bool, Experience]) -> None:
        self._experiences = dict(before)
        self._under_way: dict[int, tuple[bool, Sequence[Learned]]] = {}
        """What batches that are not done have learned so far, by number."""

    def experience(self, chess960: bool) -> Experience:
        """Return what a batch that begins now is to know. Its first bases stay the same for good."""
        return self._experiences[chess960]

    def note(self, batch: int, chess960: bool, learned: Sequence[Learned]) -> None:
        """Note what a batch has learned so far, which may still become more."""
        self._under_way[batch] = chess960, learned

    def finish(self, batch: int, chess960: bool, learned: Sequence[Learned]) -> None:
        """Take in what a batch has learned in all."""
        self._under_way.pop(batch, None)
        if learned:
            self._experiences[chess960] = _with_all(self._experiences[chess960], learned)

    def so_far(self) -> dict[bool, Experience]:
        """Return what is known, that of batches under way included."""
        known = dict(self._experiences)
        for chess960, learned in self._under_way.values():
            known[chess960] = _with_all(known[chess960], learned)
        return known


def _with_all(experience: Experience, learned: Sequence[Learned]) -> Experience:
    for each in learned:
        experience = experience.with_learned(each)
    return experience
