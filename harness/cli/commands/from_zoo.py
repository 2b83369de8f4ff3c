"""Choosing suites by the faults that they show, for `perft-check suites make --from-zoo`."""

from __future__ import annotations

from ....reports.text import count
from ....suites.case import Suite
from ...model.shutdown import Interrupt
from ...work.spreading import Spread
from ...zoo.choosing.kills import kill_all
from ...zoo.choosing.suites import FAMOUS, Strength, SuiteChooser, candidates, families
from ...zoo.choosing.sweep import choose_sweeps, find_missed, nodes_of, questions, show_all
from ..output import console


def choose(seed: int, spread: Spread, interrupt: Interrupt) -> dict[str, Suite]:
    """Return the suites named in `making.CHOSEN` but the sweeps, chosen by the zoo; none after an interrupt."""
    cases = candidates(seed)
    faults = [fault for group in families().values() for fault in group]
    matrix: dict[str, dict[str, int]] = {}
    for number, kills in enumerate(kill_all(faults, cases, frozenset(FAMOUS), spread, interrupt), 1):
        matrix[kills.fault] = kills.depths
        _say(f"{number}/{len(faults)}: {kills.fault} shows at {count(len(kills.depths), 'position')}", "dim")
    if interrupt.requested:
        return {}
    chooser = SuiteChooser(cases, matrix)
    choices = {"smoke": chooser.smoke(), "special": chooser.special()}
    _say(f"{len(families())} families can show in counts, {count(len(cases), 'position')} to choose from")
    for name, choice in choices.items():
        _say(f"{name}, with its positions of Chess960: {_strength(chooser.strength(choice))}")
    own, others = chooser.cross_validate()
    _say(f"smoke, chosen without a third of the families: {_strength(own)}")
    _say(f"  of the families held out: {_describe_detection(others)}")
    return chooser.suites(**choices)


def choose_the_sweeps(seed: int, spread: Spread, interrupt: Interrupt) -> dict[str, Suite]:
    """Return the sweeps, chosen by the zoo; none after an interrupt."""
    cases = questions(seed)
    matrix: dict[str, frozenset[str]] = {}
    for number, shown in enumerate(show_all(cases, spread, interrupt), 1):
        matrix[shown.fault] = shown.cases
        _say(f"{number}: {shown.fault} shows at {count(len(shown.cases), 'question')}", "dim")
    if interrupt.requested:
        return {}
    suites = choose_sweeps(cases, matrix)
    for suite in suites.values():
        nodes = sum(map(nodes_of, suite))
        _say(f"{suite.name}: {count(len(suite), 'question')} of {len(cases)}, {count(nodes, 'node')}")
    never, played = find_missed(suites, matrix)
    _say(f"shown by no question: {', '.join(never) or 'no fault'}")
    _say(f"shown only after moves: {', '.join(played) or 'no fault'}")
    return suites


def _say(text: str, style: str = "") -> None:
    console.err().print(text, style=style, highlight=False, soft_wrap=True)


def _strength(strength: Strength) -> str:
    return f"{count(strength.positions, 'position')}, {count(strength.nodes, 'node')}, {_describe_detection(strength)}"


def _describe_detection(strength: Strength) -> str:
    once, twice, thrice = strength.killed
    return f"catches {once} of {strength.families} families, {twice} of them twice, {thrice} three times"
