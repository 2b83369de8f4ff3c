"""`perft-check warm`: all kernels are compiled at once, so that no later command waits for them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from .... import generator
from ....generator.kernels.machine.execution_mode import ExecutionMode, current_mode
from ....generator.kernels.machine.folders import cache_folder
from ....generator.kernels.machine.preparing import KernelForm, every_form, usual_forms
from ....generator.kernels.tables import available_backends, tables
from ....reports.terminal.parts.layout import Facts
from ....reports.text import count
from ...engines import kernels
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupted, catch_interrupts
from ..output import console
from ..output.compiling import get_ready
from ..settings.engine import WarmSettings


def main(settings: WarmSettings) -> ExitCode:
    """Compile what is not compiled yet, or list what there is."""
    forms = _choose_forms(everything=settings.everything)
    if settings.list:
        console.out().print(Facts(_facts(forms)))
        return ExitCode.AGREE
    missing = sum(not form.is_ready for form in forms)
    try:
        with catch_interrupts() as interrupt:
            get_ready(forms, interrupt)
    except Interrupted:
        left = sum(not form.is_ready for form in forms)
        console.err().print(f"interrupted: {count(missing - left, 'kernel')} compiled, {left:,} left")
        return ExitCode.INTERRUPTED
    console.out().print(_summary(len(forms), missing))
    return ExitCode.AGREE


def _choose_forms(*, everything: bool) -> list[KernelForm]:
    """Return the kernels that commands use by themselves, or all of them, with techniques and other back-ends."""
    back_ends = [type(tables(name)) for name in available_backends()]
    if everything:
        return every_form(back_ends, [generator, kernels])
    return usual_forms(back_ends, [generator.kernels, kernels])


def _facts(forms: list[KernelForm]) -> Iterator[tuple[str, str]]:
    for form in forms:
        back_ends = [kind.__name__.removesuffix("Tables").lower() for kind in form.kinds if "Tables" in kind.__name__]
        state = "compiled" if form.is_ready else "not compiled"
        yield form.kernel.__name__, f"{state}{''.join(f', {name}' for name in back_ends)}"


def _summary(number: int, compiled: int) -> Text:
    if current_mode() is not ExecutionMode.QUICK:
        return Text(f"kernels are {current_mode().value}")
    folder = cache_folder()
    place = "nowhere: the next run compiles again" if folder is None else str(folder)
    return Text(f"{count(number, 'kernel')} ready, {compiled:,} of them compiled now, kept in {place}")
