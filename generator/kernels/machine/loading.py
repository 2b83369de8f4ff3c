"""Machine code from the disk, ready to be called, without Numba."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from llvmlite import binding

from .kernel_cache import KeptCode

_linking = Lock()


@cache
def _engine() -> Any:
    """Return what links machine code into this process. It lives as long as the process, as the code does."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return binding.create_mcjit_compiler(binding.parse_assembly(""), target.create_target_machine(jit=True))


def loaded_address(code: KeptCode) -> int:
    """Return the address of what calls a kernel, which is linked into this process."""
    with _linking:
        engine = _engine()
        for machine_code in (code.machine_code, code.caller):
            engine.add_object_file(binding.ObjectFileRef.from_data(machine_code))
        engine.finalize_object()
        return int(engine.get_function_address(code.symbol))
