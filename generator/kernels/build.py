"""Compile the kernels that a wheel is to carry: `python -m perft_check.generator.kernels.build [--target NAME] OUT`.

In a package, OUT is the folder `generator/kernels/shipped`. The code is for one version of Python, Numba and llvmlite,
and for one kind of processors, which need not have all that this machine has.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from .machine.execution_mode import ExecutionMode, current_mode
from .machine.preparing import KernelForm, usual_forms
from .machine.shipped import TARGETS, CompileTarget, fitting_targets, folder_of
from .machine.target import SETTINGS

ROOMS = (__package__, f"{__package__.partition('.')[0]}.harness.engines.kernels")
"""Where the kernels are that commands use by themselves: here, and in a room above, which is imported by its name."""


def main() -> None:
    """Compile, and say how many kernels are where; exit with 2 where that is impossible."""
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}.build", description=(__doc__ or "").splitlines()[0])
    names = list(dict.fromkeys(one.name for one in TARGETS))
    parser.add_argument("--target", choices=names, help="the processors to compile for (default: the best here)")
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder that gets a folder of kernels")
    arguments = parser.parse_args()
    chosen = [one for one in fitting_targets() if arguments.target in (None, one.name)]
    if not chosen:
        parser.error(f"this machine cannot run code for {arguments.target or 'any target'}: build on one that can")
    if current_mode() is not ExecutionMode.QUICK:
        parser.error(f"kernels are {current_mode().value}: unset NUMBA_DISABLE_JIT")
    try:
        folder, number, size = build(chosen[0], arguments.out)
    except OSError as error:
        parser.error(f"{error.filename or arguments.out}: {error.strerror}: name a folder that can be written")
    except LookupError as error:
        parser.error(f"{error.args[0]}: see the line above")
    print(f"{number} kernels for {chosen[0].name}, {size / 1e6:.1f} MB, in {folder}")


def build(target: CompileTarget, out: Path) -> tuple[Path, int, int]:
    """Compile for a target; return the folder below `out`, how many kernels it has, and how many bytes they have.

    Raises OSError, and LookupError where kernels cannot be compiled as they are to be kept.
    """
    assert "numba" not in sys.modules, "Numba reads at its import for which processor it compiles"
    for name in SETTINGS:
        os.environ.pop(f"NUMBA_{name}", None)
    os.environ |= {"NUMBA_CPU_NAME": target.cpu, "NUMBA_CPU_FEATURES": target.notation}
    folder = folder_of(out, target)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NUMBA_CACHE_DIR"] = cache
        sizes = [form.ship(folder) for form in forms_to_ship()]
    return folder, len(sizes), sum(sizes)


def forms_to_ship() -> list[KernelForm]:
    """Return what commands use by themselves, with the best back-end of the target."""
    # Which back-ends there are depends on the target: they are imported once it is set.
    from .tables import available_backends, tables

    return usual_forms([type(tables(name)) for name in available_backends()], [import_module(room) for room in ROOMS])


if __name__ == "__main__":
    main()
