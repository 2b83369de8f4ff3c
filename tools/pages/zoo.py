"""The paragraph of `benchmarks/zoo.md` with the numbers of faults, and the table of all faults."""

from __future__ import annotations

import textwrap

from perft_check.harness.zoo.catalogue import ZOO, faults_by_class
from perft_check.harness.zoo.fault import bugs

WIDTH = 120


def render_figures() -> str:
    """Return the paragraph with the numbers of faults, public bugs, families and controls."""
    faults = [fault for fault in ZOO.values() if not fault.is_control]
    public = [fault for fault in faults if fault.ids]
    known = bugs().values()
    families = len({one.family for one in public})
    text = (
        f"There are {len(faults)} faults. {len(public)} of them stand for {families} of the "
        f"{len({bug.family for bug in known})} families of root causes in a catalogue of {len(known)} bugs "
        "(`harness/zoo/bugs.csv`: class, family, and the project with issue or commit). "
        f"The other {len(faults) - len(public)} are in no catalogue; each of these is its own family, so that the "
        f"scores count {len({one.family for one in faults})} families. {len(ZOO) - len(faults)} controls have no "
        "fault, and no check may report them."
    )
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)


def render_faults() -> str:
    """Return the table of all faults, by class."""
    lines = ["| class | fault | shows as | what is wrong |", "| --- | --- | --- | --- |"]
    for fault_class, members in faults_by_class().items():
        lines += [f"| {fault_class} | `{one.name}` | {one.effect or 'nothing'} | {one.story} |" for one in members]
    return "\n".join(lines)
