"""The quick compiler: Numba dispatchers that optimize each kernel only once and use the cache on disk.

Numba links and optimizes each helper and generates its machine code, then does the same for each function that calls
the helper, and so on up to the kernel. Here, this is done only for the kernel, which is linked with one copy of each
helper. Temporary patches of Numba avoid repeated work; they do not change the compiled code.

This module contains all uses of Numba's private names. If one of them is missing, or if compiled code cannot be called
as expected, kernels are compiled with the documented `njit` instead (`jit.py`).
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import binding
from numba import types
from numba.core import errors, event, serialize
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.runtime import rtsys
from numba.core.typed_passes import AnnotateTypes, NativeLowering, NoPythonBackend, NopythonTypeInference
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import FixupArgs, InlineClosureLikes, IRProcessing, TranslateByteCode

from ..calling import code_at, signature_text
from ..execution_mode import KernelError
from ..kernel_cache import KeptCode, KernelFiles, load_code

_LLVM_OPTIONS = (
    # Functions start at multiples of 64 bytes. Processors fetch code in aligned blocks, so otherwise the speed of a
    # loop would depend on where its function happens to start.
    "-align-all-functions=6",
    # Kernels use several times as many bitboards as there are registers. This scheduler keeps more of them in
    # registers than the default one, which must not change the order afterwards.
    "-pre-RA-sched=list-hybrid",
    "-enable-misched=0",
    # No additional variables in loops, which would also need registers.
    "-disable-lsr",
    # Most branches are predicted well, so that computing both sides takes longer.
    "-two-entry-phi-node-folding-threshold=1",
)
for _option in _LLVM_OPTIONS:
    binding.set_option("perft-check", _option)

_MODULE = """\
target triple = "{triple}"
target datalayout = "{layout}"
declare i32 @"{name}"(ptr, ptr{types})
define void @"{symbol}"(ptr %words, ptr %answer) {{
    %error = alloca ptr
{loads}
    %status = call i32 @"{name}"(ptr %answer, ptr %error{values})
    ret void
}}
"""
"""A function that reads the arguments from memory and calls Numba's function.

Numba's function takes the addresses of the result and of an exception, which kernels never raise, and the arguments.
"""
_LOAD = """\
    %at{place} = getelementptr i64, ptr %words, i64 {place}
    %word{place} = load i64, ptr %at{place}
"""


def symbol_of(name: str) -> str:
    """Return the name of the generated function that calls the function `name`."""
    return f"{name}.from_memory"


def caller_of(name: str, words: int, layout: str) -> str:
    """Return LLVM code that calls a function with `words` uint64 arguments."""
    return _MODULE.format(
        triple=binding.get_process_triple(),
        layout=layout,
        name=name,
        symbol=symbol_of(name),
        types=", i64" * words,
        loads="".join(_LOAD.format(place=place) for place in range(words)),
        values="".join(f", i64 %word{place}" for place in range(words)),
    )


class _NoMachineCode:
    """Represents the missing machine code of a helper."""

    def set_env(self, _name: str, _environment: object) -> None:
        """Do nothing: helpers use the environment of their kernel."""


class _HelperLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a helper, which is linked into kernels."""

    codegen = _NoMachineCode()

    def get_pointer_to_function(self, _name: str) -> int:
        """Return no address, because Python never calls helpers."""
        return 0

    def finalize(self) -> None:
        """Do nothing: only kernels are linked and optimized."""

    def _get_module_for_linking(self) -> Any:
        """Return the helper with what it calls, for functions that were compiled with Numba's own `njit`."""
        module = _code_of(self).clone()
        _link_called(module, self)
        return module


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # as above
    """The code of a kernel and of the helpers that it calls, directly or through other helpers."""

    def finalize(self) -> None:
        """Link each helper once, optimize, and generate machine code."""
        _link_called(self._final_module, self)
        self._linking_libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Helpers return tuples through memory. After inlining, SROA (scalar replacement of aggregates) puts the words
        # of tuples into registers, so that the passes that follow see where each word comes from.
        passes = binding.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.add_sroa_pass()
        passes.run(
            self._final_module,
            binding.create_pass_builder(self._codegen._tm, binding.create_pipeline_tuning_options()),
        )
        super()._optimize_final_module()


def _link_called(module: Any, library: JITCodeLibrary) -> None:
    """Add to a module what a library calls, directly or through helpers, in the order of the calls."""
    called: dict[JITCodeLibrary, None] = {}
    _find_called(library, called)
    for callee in called:
        module.link_in(_code_of(callee), preserve=True)


def _find_called(library: JITCodeLibrary, called: dict[JITCodeLibrary, None]) -> None:
    for callee in library._linking_libraries:
        if callee not in called:
            called[callee] = None
            # Other libraries, such as those of kernels, already contain what they call.
            if isinstance(callee, _HelperLibrary):
                _find_called(callee, called)


def _code_of(library: JITCodeLibrary) -> Any:
    """Return a module with the code of a library; that of a helper does not contain what the helper calls."""
    return JITCodeLibrary._get_module_for_linking(library)


@register_pass(mutates_CFG=False, analysis_only=True)
class _OneTypeEach(FunctionPass):  # type: ignore[misc]  # as above
    _name = "one_type_each"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Raise KernelError if a variable has two types, because Numba unifies uint64 and int64 to float64."""
        # Numba gives such a variable a common type, which for uint64 and int64 is a float that represents only 53 bits
        # exactly.
        for variable, kind in state.typemap.items():
            if isinstance(kind, types.Float):
                name = state.func_id.func_qualname
                raise KernelError(f"{name}: {variable} holds words and integers: make all of them words")
        return False


def _lowering_into(kind: type[JITCodeLibrary]) -> type:
    """Return a Numba pass after which lowering writes LLVM code to a library of this class."""

    @register_pass(mutates_CFG=False, analysis_only=True)
    class Into(FunctionPass):  # type: ignore[misc]  # as above
        _name = f"into_{kind.__name__}"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            """Replace the library."""
            state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return False

    return Into


_READING, _TYPING = (TranslateByteCode, FixupArgs, IRProcessing), (NopythonTypeInference, AnnotateTypes, _OneTypeEach)
_WRITING = (NativeLowering, NoPythonBackend)
_HELPER_PASSES = (*_READING, *_TYPING, _lowering_into(_HelperLibrary), *_WRITING)
"""The passes that helpers need. Numba's other passes handle closures, arrays, exceptions, reference counts and
variables that change their type, none of which occur in helpers.
"""
_KERNEL_PASSES = (*_READING, InlineClosureLikes, *_TYPING, _lowering_into(_KernelLibrary), *_WRITING)
"""Kernels may contain inner functions."""


def _compiler_of(passes: tuple[type, ...]) -> type:
    """Return a Numba compiler that has only these passes."""

    class Compiler(CompilerBase):  # type: ignore[misc]  # Numba has no types
        def define_pipelines(self) -> list[PassManager]:
            manager = PassManager("words")
            for one in passes:
                manager.add_pass(one, one.__name__)
            manager.finalize()
            return [manager]

    return Compiler


_HELPER_COMPILER, _KERNEL_COMPILER = _compiler_of(_HELPER_PASSES), _compiler_of(_KERNEL_PASSES)

_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
"""No Python wrappers: Python calls machine code by its address. No reference counts: all values are uint64."""


class _KernelCache(NullCache):  # type: ignore[misc]  # Numba has no types
    """The cache of a kernel's dispatcher, also used when another kernel calls the kernel."""

    def __init__(self, files: KernelFiles, name: str, returned: Any, compiled: list[str]) -> None:
        self._files, self._name, self._returned, self._compiled = files, name, returned, compiled
        self.code: dict[str, KeptCode] = {}
        """Loaded or compiled code by signature, because Numba does not keep the machine code of loaded kernels."""

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the compiled code of a signature, or None if it has to be compiled.

        Another process may have compiled it since this process found it missing.
        """
        kept = self._files.load(_signature_text(sig))
        if kept is None:
            return None
        self.code[_signature_text(sig)] = kept
        # Numba refreshes its complete context here, which takes 0.3 s and is needed only for compilation; compiled code
        # needs only the runtime.
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *pickle.loads(kept.linkable))

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Store the compiled code of a signature."""
        signature, made, wanted = (
            _signature_text(sig),
            _signature_text((data.signature.return_type,)),
            signature_text(self._returned),
        )
        if made != wanted:
            raise KernelError(f"{self._name} returns {made} but is annotated as {wanted}")
        self._compiled.append(signature)
        self.code[signature] = _code_to_keep(data)
        self._files.save(signature, self.code[signature])


def _signature_text(sig: Any) -> str:
    return ",".join(map(_type_text, sig))


def _type_text(kind: Any) -> str:
    if isinstance(kind, types.BaseTuple):
        name = kind.instance_class.__name__ if isinstance(kind, types.BaseNamedTuple) else "tuple"
        return f"{name}({len(kind)})"
    return {types.boolean: "bool", types.none: "NoneType"}.get(kind, str(kind))


def _code_to_keep(data: CompileResult) -> KeptCode:
    codegen, name = data.target_context.codegen(), data.fndesc.llvm_func_name
    words = sum(len(kind) if isinstance(kind, types.BaseTuple) else 1 for kind in data.signature.args)
    caller = codegen._tm.emit_object(binding.parse_assembly(caller_of(name, words, codegen._data_layout)))
    linkable = serialize.dumps(data._reduce())
    return KeptCode(symbol_of(name), data.library._get_compiled_object(), caller, linkable)


def helper_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return the dispatcher of a helper."""
    return numba.njit(nogil=True, pipeline_class=_HELPER_COMPILER, **_BARE, **options)(function)


def kernel_dispatcher(
    function: Callable[..., Any], options: dict[str, Any], files: KernelFiles, returned: Any, compiled: list[str]
) -> Any:
    """Return the dispatcher of an entry point; it appends the signatures that it compiles to `compiled`."""
    dispatcher = numba.njit(nogil=True, pipeline_class=_KERNEL_COMPILER, **_BARE, **options)(function)
    dispatcher._cache = _KernelCache(files, function.__name__, returned, compiled)
    return dispatcher


def compile_kernel(dispatcher: Any, signature: tuple[Any, ...]) -> KeptCode:
    """Return a kernel, compiled in this process for arguments of these types.

    Raises RuntimeError if this version of Numba compiles functions that cannot be called as expected.
    """
    _prove_calling()
    return _compile(dispatcher, signature)


def _compile(dispatcher: Any, signature: tuple[Any, ...]) -> KeptCode:
    with patched_numba():
        dispatcher.compile(signature)
    code: KeptCode = dispatcher._cache.code[_signature_text(signature)]
    return code


_PROOF_TYPE = ("i32", "ptr", "ptr", "i64", "i64", "i64")
"""The type of the compiled kernel below: status, addresses for the result and an exception, and the arguments."""


class _Pair(NamedTuple):
    first: np.uint64
    second: np.uint64


def _turn_pair(pair: _Pair, word: np.uint64) -> _Pair:
    """Return a pair that misplaced arguments could not produce."""
    return _Pair(pair.second ^ word, pair.first + word + word)


class _NoFiles(KernelFiles):
    """Stores nothing, because every process has to repeat the test with its version of Numba."""

    def load(self, signature: str) -> None:
        """Return None, so that the kernel is compiled."""

    def save(self, signature: str, code: KeptCode) -> None:
        """Do nothing."""


@cache
def _prove_calling() -> None:
    """Call a kernel with a known result. Raises RuntimeError if the result or the kernel's type is not as expected.

    Code on disk is not tested, because the process that compiled it has tested the compiler.
    """
    files = _NoFiles(_turn_pair.__module__, _turn_pair.__name__)
    dispatcher = kernel_dispatcher(_turn_pair, {}, files, _Pair, [])
    kept = _compile(dispatcher, (types.NamedUniTuple(types.uint64, 2, _Pair), types.uint64))
    [overload] = dispatcher.overloads.values()
    # The type is tested first, because calling machine code with incorrect arguments is undefined behavior.
    module = binding.parse_assembly(overload.library.get_llvm_str())
    function = module.get_function(overload.fndesc.llvm_func_name)
    returned = str(function.global_value_type).partition(" ")[0]
    taken = (returned, *(str(argument.type) for argument in function.arguments))
    if taken != _PROOF_TYPE:
        raise RuntimeError(f"compiled functions have the types {taken} instead of {_PROOF_TYPE}")
    first, second, word = (np.uint64(number) for number in (0xFEDCBA9876543210, 0x0123456789ABCDEF, 0x5A5A5A5A5A5A5A5A))
    answer: Any = code_at(load_code(kept), (_Pair, np.uint64), _Pair)(_Pair(first, second), word)
    expected = _Pair(second ^ word, np.uint64((int(first) + 2 * int(word)) & 0xFFFFFFFFFFFFFFFF))
    if answer != expected:
        raise RuntimeError(f"compiled functions return {answer} instead of {expected}")


@contextmanager
def patched_numba() -> Iterator[None]:
    """Apply the patches within this block, in which no other thread may compile."""
    with global_compiler_lock, ExitStack() as stack:
        stack.enter_context(_without_garbage_collection())
        _replace(stack, TypeInferer, "return_types_from_partial", _infer_recursion_once)
        _replace(stack, BaseFunction, "get_call_type", _resolve_overloads_once)
        for name in ("start_event", "end_event"):
            _replace(stack, event, name, _without_events)
        _replace(stack, errors, "termcolor", _leave_uncolored)
        yield


def _replace(stack: ExitStack, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Replace a function of Numba, if this version has it, until the stack is closed."""
    if (original := getattr(owner, name, None)) is not None:
        stack.callback(setattr, owner, name, original)
        setattr(owner, name, made(original))


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which takes 1/15 of the compile time because the compiler keeps so many objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _infer_recursion_once(find: Callable[[TypeInferer], Any]) -> Callable[[TypeInferer], Any]:
    """Infer the return type of a recursive kernel only once, instead of at each recursive call."""
    found: dict[TypeInferer, Any] = {}

    def find_once(inferer: TypeInferer) -> Any:
        if found.get(inferer) is None:
            found[inferer] = find(inferer)
        return found[inferer]

    return find_once


def _resolve_overloads_once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Resolve an operator once per combination of operand types, instead of at each use."""
    found: dict[tuple[BaseFunction, Any], Any] = {}

    def find_once(function: BaseFunction, context: Any, args: Any, kws: Any) -> Any:
        # Keyword arguments are passed as a dict, which is not hashable.
        if kws:
            return find(function, context, args, kws)
        if (function, args) not in found:
            found[function, args] = find(function, context, args, kws)
        return found[function, args]

    return find_once


def _without_events(_send: Callable[..., None]) -> Callable[..., None]:
    """Suppress Numba's events about locks, because every helper that is being compiled would listen to them."""
    return lambda *_args, **_kws: None


class _Uncolored:
    """Leaves text uncolored, because Numba creates an error for each type that does not match, and coloring is slow."""

    # Numba calls the methods `errmsg`, `filename`, `highlight` and others to color text.
    def __getattr__(self, _mark: str) -> Callable[[str], str]:
        return str


def _leave_uncolored(_termcolor: Callable[[], Any]) -> Callable[[], _Uncolored]:
    """Leave error messages uncolored; Numba would use colorama to color them."""
    return _Uncolored
