"""Lookup of the faults of the zoo by name and class. Importing this module loads all faults."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ...errors import UsageError, did_you_mean
from . import faults
from .fault import ZOO, Fault

__all__ = ["ZOO", "faults_by_class", "faults_of", "find_fault"]

for _file in iter_modules(faults.__path__):
    import_module(f"{faults.__name__}.{_file.name}")


def find_fault(name: str) -> Fault:
    """Return the fault with a name. Raises UsageError, with a suggestion, if there is none."""
    if name in ZOO:
        return ZOO[name]
    hint = did_you_mean(name, ZOO, "`perft-check zoo list` lists all faults", cutoff=0.4)
    raise UsageError(f"no fault named {name!r}: {hint}")


def faults_of(fault_class: str | None) -> list[Fault]:
    """Return the faults of a class, or all faults for None; controls form a separate class. Raises UsageError."""
    classes = faults_by_class()
    if fault_class is not None and fault_class not in classes:
        raise UsageError(f"no class {fault_class!r}: {did_you_mean(fault_class, classes)}")
    return [fault for name, members in classes.items() if fault_class in (None, name) for fault in members]


def faults_by_class() -> dict[str, list[Fault]]:
    """Return the faults by class, sorted by class name with controls last."""
    classes: dict[str, list[Fault]] = {}
    for fault in ZOO.values():
        classes.setdefault("control" if fault.is_control else fault.fault_class, []).append(fault)
    return dict(sorted(classes.items(), key=lambda item: (item[0] == "control", item[0].casefold())))
