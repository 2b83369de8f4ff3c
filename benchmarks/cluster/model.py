"""What a simulated count is made of: what things cost, who counts, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class Costs:
    """Seconds that are not spent counting. Nothing costs anything unless said."""

    submit: float = 0.0
    """Of the client, to hand out an order."""
    take: float = 0.0
    """Of the client, to receive a result."""
    message: float = 0.0
    """Of the scheduler, for a message: an order has three."""
    choose: float = 0.0
    """Of the scheduler, when it gives an order to a worker, for each worker that is there."""
    work: float = 0.0
    """Of a worker, for an order."""
    commit: float = 0.0
    """Of the ledger, for a batch of results; the client waits."""
    row: float = 0.0
    """... and for each of its pieces."""
    out: float = 0.0
    """Of the client, every half a second, for each order that is out."""
    look: float = 0.0
    """Of the client, once a second, for each worker."""
    told: float = 0.0
    """... and of the scheduler."""


@dataclass(frozen=True)
class Crew:
    """Who counts, and what becomes of them."""

    workers: int
    latency: float = 0.0
    """Seconds that a message is under way."""
    lifetime: float = inf
    """Mean seconds until a worker dies."""
    restart: float = 120.0
    """Seconds until it is back."""
    slow: float = 0.0
    """The share of workers that take `factor` times as long."""
    factor: float = 3.0
    hung: float = 0.0
    """The share of workers that never deliver anything."""


@dataclass(frozen=True)
class Middle:
    """The middle half of a count, as all of a long one is."""

    worked: float
    """Seconds of its pieces."""
    seconds: float
    client: float
    """Seconds that the client was busy."""
    scheduler: float


@dataclass(frozen=True)
class SimulatedOutcome:
    """What has become of a simulated count."""

    workers: int
    pieces: int
    piece_seconds: float
    """The mean."""
    seconds: float
    orders: int
    """With those that were handed out again."""
    kept: int
    """Pieces whose result is in the ledger."""
    most_kept: int
    """How often a piece was put into the ledger, at most."""
    repeated: int
    """Results of pieces that had one."""
    middle: Middle

    @property
    def utilisation(self) -> float:
        """The share of the workers' time that went into results, each piece once."""
        return self.pieces * self.piece_seconds / (self.workers * self.seconds)

    def seconds_of(self, pieces: int) -> float:
        """Return what a longer count takes, which goes on as the middle of this one."""
        more = max(0, pieces - self.pieces) * self.piece_seconds
        return self.seconds + more * self.middle.seconds / self.middle.worked if more else self.seconds

    def utilisation_of(self, pieces: int) -> float:
        """Return the utilisation of a longer count."""
        most = max(pieces, self.pieces)
        return most * self.piece_seconds / (self.workers * self.seconds_of(most))


FREE = Costs()
