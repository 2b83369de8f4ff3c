"""What was measured, as it is kept beside this file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from .model import Costs
from .simulation import Seconds

KEPT = Path(__file__).with_name("measured.json")


@dataclass(frozen=True)
class MachineFigures:
    """Seconds, bytes and rates of one machine."""

    machine: str
    quantiles: list[float]
    """Of the seconds of a piece of one position, as multiples of the mean, from the least to the greatest."""
    rates: dict[int, float]
    """Leaf nodes a second of a thread while all are busy, by the plies that are counted."""
    rates_with_table: dict[int, float]
    alone: dict[int, float]
    """Positions two plies below one, if so many beside one another are cut together and apart from the others."""
    submit: float
    take: float
    message: float
    choose: float
    work: float
    orders_a_second: int
    """With all processes on this machine."""
    order_bytes: int
    """Of an order of one position, as it is sent."""
    network_bytes: int
    """That all processes send each other for an order."""
    scheduler_memory: int
    """Bytes for an order that is out."""
    commit: float
    row: float
    ledger_bytes: int
    """For a piece of one position with its result."""
    client_bytes: int
    """Of memory for a piece."""
    look: float
    told: float
    look_bytes: int
    out: float

    @property
    def costs(self) -> Costs:
        """What the simulation takes of them."""
        return Costs(**{one.name: getattr(self, one.name) for one in fields(Costs)})

    def seconds(self, pieces: int, mean: float, seed: int) -> Seconds:
        """Draw the seconds of pieces whose mean is given."""
        quantiles = np.array(self.quantiles)
        drawn = np.random.default_rng(seed).random(pieces)
        seconds: Seconds = np.interp(drawn, np.linspace(0, 1, len(quantiles)), quantiles)
        seconds *= mean / seconds.mean()
        return seconds

    def rate(self, below: int, has_table: bool) -> float:
        """Return the leaf nodes a second of a thread that counts so many plies, or as many as were measured."""
        rates = self.rates_with_table if has_table else self.rates
        return rates[min(max(below, min(rates)), max(rates))]


def keep(measured: MachineFigures) -> None:
    """Write the file."""
    KEPT.write_text(json.dumps(asdict(measured), indent=1) + "\n", encoding="utf-8")


def kept() -> MachineFigures:
    """Read the file."""
    values = json.loads(KEPT.read_text(encoding="utf-8"))
    for name in ("rates", "rates_with_table", "alone"):
        values[name] = {int(key): figure for key, figure in values[name].items()}
    return MachineFigures(**values)
