"""How helpers are compiled: hardly at all, because each kernel has its own copy of them.

Numba optimizes a helper and makes machine code of it, then of the one that it is inlined into, with all that
this holds, and so on up to the kernel. Here that is done once, for the kernel.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.typed_passes import AnnotateTypes, NativeLowering, NoPythonBackend, NopythonTypeInference
from numba.core.untyped_passes import FixupArgs, IRProcessing, TranslateByteCode

from ..execution_mode import KernelError


class _NoMachineCode:
    """Stands for the machine code of a helper, which there is none of."""

    def set_env(self, _name: str, _environment: object) -> None:
        """Store nothing: a kernel has an environment, which its helpers use."""


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a helper, which kernels link in."""

    codegen = _NoMachineCode()

    def get_pointer_to_function(self, _name: str) -> int:
        """Return that Python cannot call it."""
        return 0

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _IntoPart(FunctionPass):  # type: ignore[misc]  # as above
    """Have the lowering that follows write into such a library."""

    _name = "into_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Raise KernelError where a variable has had two types: Numba makes floating point of words and integers."""
        name = state.func_id.func_qualname
        for variable, kind in state.typemap.items():
            if isinstance(kind, types.Float):
                raise KernelError(f"{name}: {variable} holds words and integers: make all of them words")
        state.library = _PartLibrary(state.targetctx.codegen(), name)
        state.library.enable_object_caching()
        return False


_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    NopythonTypeInference,
    AnnotateTypes,
    _IntoPart,
    NativeLowering,
    NoPythonBackend,
)
"""What it takes to compile a helper. What else Numba does is for what none has: closures, arrays, exceptions, objects
whose references are counted, and variables that have first one type and then another.
"""


class PartCompiler(CompilerBase):  # type: ignore[misc]  # as above
    """Numba's compiler, for helpers."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes."""
        passes = PassManager("helper")
        for one in _PASSES:
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]
