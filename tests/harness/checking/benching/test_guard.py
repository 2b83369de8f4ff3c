"""Comparison with an older engine: ratios, noise, figures in files, invalid input."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.asking import asking
from perft_check.errors import UsageError
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.benching import timing
from perft_check.harness.checking.benching.figures import KIND, Figures, figures_of, load, save
from perft_check.harness.checking.benching.guard import Baseline, baseline_of
from perft_check.harness.checking.benching.timing import Bench, BenchPlan, run_bench
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.model.results.bench import BenchFinished, Comparison, Speed, SpeedRatio
from perft_check.harness.model.results.verdict import ExitCode, Verdict
from perft_check.reports.content.bench import verdict
from perft_check.reports.formats.json import JSON
from perft_check.reports.formats.markdown import MARKDOWN

OURS = asking(OwnEngine("own:turbo"))

ROOK = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
PAWN = Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
POSITIONS = {"rook": ROOK, "pawn": PAWN}
STEADY = (1.0,) * 12


def speeds(engine: str, **rounds: tuple[float, ...]) -> list[Speed]:
    return [Speed(engine, position, 5, 100, speed) for position, speed in rounds.items()]


def made(**rounds: tuple[float, ...]) -> Figures:
    """Return figures in which ./old has these rounds, and own:turbo counts 100 million nodes per second."""
    timed = speeds("./old", **rounds) + speeds("own:turbo", **dict.fromkeys(rounds, (100.0,) * 12))
    return figures_of(timed, {name: POSITIONS[name] for name in rounds})


def test_ratios_are_computed_within_each_round() -> None:
    """A drift in the speed of the machine affects both engines."""
    drift = tuple(100.0 - number for number in range(12))
    timed = speeds("./new", rook=tuple(0.9 * one for one in drift), pawn=STEADY) + speeds(
        "./old", rook=drift, pawn=STEADY
    )
    compared = Baseline("./old", "./old").compare("./new", timed, POSITIONS, None)
    assert compared is not None
    assert [round(one.median, 6) for one in compared.positions] == [0.9, 1.0]
    assert compared.interval is not None
    assert [round(limit, 6) for limit in compared.interval] == [0.948683, 0.948683]  # the root of 0.9 times 1
    assert (round(compared.median, 6), compared.is_beyond_noise, compared.is_too_slow) == (0.948683, True, False)


def test_figures_of_another_machine_are_compared_by_the_yardstick() -> None:
    """This machine is half as fast: ./new reaches 40 and own:turbo 50; before, ./old reached 80 and own:turbo 100."""
    baseline = Baseline("base.json", "own:turbo", "./old", replace(made(rook=(80.0,) * 12), machine="another"))
    here = speeds("./new", rook=(40.0,) * 12) + speeds("own:turbo", rook=(50.0,) * 12)
    compared = baseline.compare("./new", here, {"other name": ROOK} | {"rook": ROOK}, 0.95)
    assert compared is not None
    assert (round(compared.median, 6), compared.is_beyond_noise) == (1.0, False)
    assert compared.notes[0].startswith("the figures are of another machine (another)")


def test_an_engine_that_failed_is_not_compared() -> None:
    failed = [replace(one, verdict=Verdict.CRASH) for one in speeds("./new", rook=(1.0,))]
    assert Baseline("./old", "./old").compare("./new", failed + speeds("./old", rook=STEADY), POSITIONS, 0.9) is None


@pytest.mark.parametrize(
    ("rounds", "interval", "is_beyond"),
    [
        ((0.9,) * 6, None, False),  # all six are on one side by chance in 1 of 32 cases, and each look counts
        ((0.9,) * 7, (0.9, 0.9), True),
        ((0.9,) * 6 + (1.0,), (0.9, 1.0), False),  # of 7 rounds the least and the greatest
        ((0.5, 0.6, 0.7, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.5, 2.0), (0.6, 1.5), False),  # of 12 not
        ((1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1), (1.5, 2.1), True),
    ],
)
def test_a_difference_beyond_noise(
    rounds: tuple[float, ...], interval: tuple[float, float] | None, is_beyond: bool
) -> None:
    compared = Comparison("./new", "./old", (SpeedRatio("rook", 5, rounds),))
    limits = compared.interval and tuple(round(limit, 9) for limit in compared.interval)
    assert (limits, compared.is_beyond_noise) == (interval, is_beyond)


def test_the_noise_of_saved_rounds_is_included() -> None:
    steady = Comparison("./new", "a", (SpeedRatio("rook", 5, (0.9,) * 12, saved=STEADY),))
    noisy = Comparison("./new", "a", (SpeedRatio("rook", 5, (0.9,) * 12, saved=(0.8,) * 5 + (1.0,) + (1.2,) * 6),))
    assert (steady.is_beyond_noise, noisy.is_beyond_noise) == (True, False)


@pytest.mark.parametrize(
    ("rounds", "fail_below", "is_clear"),
    [
        ((0.9,) * 6, None, False),
        ((0.9,) * 7, None, True),
        ((0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.99), None, False),  # slower, but by 1 % or by 20 %
        ((0.999,) * 4 + (1.001,) * 4, None, True),  # alike
        ((0.99,) * 4 + (1.01,) * 4, None, False),
        ((0.99,) * 4 + (1.01,) * 4, 0.95, True),  # whichever is faster, it is fast enough
        ((0.94, 0.9, 0.9, 0.9, 0.9, 0.9, 0.96), 0.95, False),
    ],
)
def test_when_more_rounds_are_not_needed(rounds: tuple[float, ...], fail_below: float | None, is_clear: bool) -> None:
    assert Comparison("./new", "./old", (SpeedRatio("rook", 5, rounds),), fail_below).is_clear is is_clear


def test_a_slow_engine_has_exit_status_1() -> None:
    right = (Speed("./new", "rook", 5, 100, STEADY),)
    for fail_below, status, end in (
        (None, ExitCode.AGREE, ""),
        (0.8, ExitCode.AGREE, "; fast enough, not below 0.8"),
        (0.95, ExitCode.MISMATCH, "; too slow, below 0.95"),
    ):
        compared = Comparison("./new", "./old", (SpeedRatio("rook", 5, (0.9,) * 12),), fail_below)
        assert BenchFinished(right, comparison=compared).exit_code is status
        assert verdict(compared) == f"new is 10.0 % slower, 95 % sure: 10.0 to 10.0 % (12 rounds){end}"
        wrong = (replace(right[0], verdict=Verdict.CRASH),)
        assert BenchFinished(wrong, comparison=compared).exit_code is ExitCode.ENGINE_FAILED


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ((1.1,) * 3 + (1.12,) * 4, "new is 12.0 % faster, 95 % sure: 10.0 to 12.0 % (7 rounds)"),
        (
            (0.992,) * 4 + (1.004,) * 4,
            "no measurable difference: within 0.8 %, 95 % sure (8 rounds); increase --seconds for a clearer result",
        ),
        ((0.25,) * 4 + (0.5,) * 3, "new takes 4.0 times as long, 95 % sure: 2.0 to 4.0 (7 rounds)"),
        ((2.0,) * 3 + (3.0,) * 4, "new is 3.0 times as fast, 95 % sure: 2.0 to 3.0 (7 rounds)"),
        (
            (0.9,) * 3,
            "new is 10.0 % slower, with too few rounds to be sure (3 rounds); increase --seconds for a clearer result",
        ),
    ],
)
def test_the_description_of_a_difference(rounds: tuple[float, ...], sentence: str) -> None:
    assert verdict(Comparison("./new", "./old", (SpeedRatio("rook", 5, rounds),))) == sentence


def test_figures_are_loaded_as_saved(tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    saved = made(rook=STEADY, pawn=(2.0,) * 12)
    save(file, saved)
    assert load(file) == saved
    assert saved.engines == ("./old",)
    assert [one.name for one in file.parent.iterdir()] == ["base.json"]


def test_other_files_are_no_figures(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    for text in ("", "\x7fELF", "[1]", "{", '{"launch": "stockfish"}', '{"kind": 5}', "[" * 100_000):
        file.write_text(text)
        assert load(file) is None, text
    assert load(tmp_path) is None
    assert load(tmp_path / "none") is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": 2}, "its format is 2, but this perft-check reads 1: save it again"),
        ({"positions": [{"fen": 1}]}, "the figures are damaged (Expected `str`, got `int` - at `$.positions[0].fen`)"),
        ({"positions": 5}, "the figures are damaged (Expected `array`, got `int` - at `$.positions`)"),
        ({"machine": 5}, "the figures are damaged (Expected `str`, got `int` - at `$.machine`)"),
    ],
)
def test_damaged_figures_are_reported(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    file = tmp_path / "x.json"
    save(file, made(rook=STEADY))
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(UsageError) as raised:
        load(file)
    assert str(raised.value).startswith(f"--compare {str(file)!r}: {why}")
    assert json.loads(file.read_text())["kind"] == KIND


@pytest.mark.parametrize("figure", [0, -1, "fast", None, 1e999])
def test_speeds_are_positive_numbers(tmp_path: Path, figure: object) -> None:
    file = tmp_path / "x.json"
    save(file, made(rook=STEADY))
    document = json.loads(file.read_text())
    document["positions"][0]["rounds"]["./old"] = [figure]
    file.write_text(json.dumps(document))
    with pytest.raises(UsageError, match="the figures are damaged"):
        load(file)


def test_possible_and_impossible_baselines(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    save(file, made(rook=STEADY))
    named = repr(str(file))
    assert baseline_of(str(file), "./new").engine == "./old"
    assert baseline_of("own", "./new") == Baseline("own", "own")
    for text, engine, figures_there, why in (
        (str(file), "own:turbo", {}, f"{named}: own:turbo is the yardstick of the figures: give another"),
        (str(file), "./new", {"generator": "x"}, "own:turbo of perft-check 0.1.0, has changed: save the figures again"),
        (str(file), "./new", {"positions": ()}, "it has no other engine, but not ./new: save one engine"),
        (
            str(file),
            "./new",
            made(rook=(1.0,) * 5).__dict__,
            "it has 5 rounds, but 8 are needed: save the figures again",
        ),
        ("own", "own", {}, "own would be compared with itself: name another engine with --compare"),
        ("none.json", "./new", {}, "--compare 'none.json' is neither a file of bench --save nor an engine: "),
        ("./none", "./new", {}, "--compare './none' is neither a file of bench --save nor an engine: engine './none'"),
    ):
        save(file, replace(made(rook=STEADY), **figures_there))
        with pytest.raises(UsageError) as raised:
            baseline_of(text, engine)
        assert why in str(raised.value)


def test_the_positions_of_the_figures_are_timed() -> None:
    baseline = Baseline("x.json", "own:turbo", "./old", made(rook=STEADY, pawn=STEADY))
    assert baseline.positions({}) == POSITIONS
    assert baseline.positions({"another name": ROOK}) == {"another name": ROOK}
    with pytest.raises(UsageError) as raised:
        baseline.positions({"start": Position.start()})
    assert str(raised.value) == "--compare 'x.json': it has no figures of 'start' with ./old: it has rook, pawn"


def test_reports_of_a_comparison() -> None:
    timed = (Speed("./new", "a|b", 5, 100, (1.0, 3.0)), Speed("./old", "a|b", 5, 100, (), Verdict.CRASH))
    compared = Comparison("./new", "./old", (SpeedRatio("a|b", 5, (0.9,) * 8),), 0.95, ("another *machine*",))
    finished = BenchFinished(timed, comparison=compared)
    told = json.loads(JSON.render(finished))["comparison"]
    assert (told["median"], told["is_too_slow"], told["is_beyond_noise"]) == (0.9, True, True)
    assert (told["quartiles"], told["interval"], told["fail_below"]) == ([0.9, 0.9], [0.9, 0.9], 0.95)
    assert json.loads(JSON.render(BenchFinished(timed)))["comparison"] is None
    page = MARKDOWN.render(finished).splitlines()
    assert "| new | 2.0 | 1.00 |" in page
    assert "| old | crash | - |" in page
    assert "| a\\|b 5 | 0.900 | 0.900 to 0.900 |" in page
    assert "another \\*machine\\*" in page


class NotingEngine(PythonChessEngine):
    """Reports which engine is asked."""

    def __init__(self, name: str, asked: list[str]) -> None:
        self.name, self._asked = name, asked

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        self._asked.append(self.name)
        return 1


MATE = Game(Position.from_fen("4q3/8/8/8/8/5Q2/5Kq1/7k w - - 0 1"))
"""One leaf node at depth 1, and none below."""


def test_every_second_round_is_in_reverse_order() -> None:
    asked: list[str] = []
    bench = Bench([asking(NotingEngine("a", asked)), asking(NotingEngine("b", asked))], OURS)
    *_, last = run_bench(bench, {"mate": MATE}, BenchPlan(rounds=3, depths={"mate": 1}))
    assert "".join(asked) == "abbaab"
    assert [(one.engine, len(one.rounds)) for one in last.speeds] == [("a", 3), ("b", 3)]


def test_short_counts_are_repeated_within_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """This clock advances by a second whenever it is read."""
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=count().__next__))
    asked: list[str] = []
    bench = Bench([asking(NotingEngine("a", asked))], OURS)
    started = bench.start_position("mate", MATE, 1)
    (one,) = bench.time_round({"mate": MATE}, started, 0, least_seconds=2.5)
    assert "".join(asked) == "aaa"
    assert one.rounds == (3 * one.nodes / 3.0 / 1e6,)
