"""How helpers are compiled: hardly at all, because each kernel has its own copy of them.

Numba optimizes a helper and makes machine code of it, then of the one that it is inlined into, with all that
this holds, and so on up to the kernel. Here that is done once, for the kernel.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.typed_passes import InlineOverloads, NopythonRewrites, NoPythonSupportedFeatureValidation
from numba.core.untyped_passes import InlineInlinables, LiteralUnroll, MakeFunctionToJitFunction

_NEEDLESS = (InlineInlinables, MakeFunctionToJitFunction, LiteralUnroll, InlineOverloads, NopythonRewrites)
"""Passes for what no helper has: functions that Numba itself inlines, arrays."""


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
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class PartCompiler(CompilerBase):  # type: ignore[misc]  # as above
    """Numba's compiler, for helpers."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes: those of Numba, with one before the lowering."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_IntoPart, NoPythonSupportedFeatureValidation)
        passes.passes = [(one, name) for one, name in passes.passes if one not in _NEEDLESS]
        passes.finalize()
        return [passes]
