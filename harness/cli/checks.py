"""Validate options that several commands share, and parse the engines given to them.

This module does not import NumPy, so that mistakes are reported immediately.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ...errors import UsageError
from ..engines.spec import KERNELS, REFERENCE, EngineSpec, references_of
from ..engines.uci_options import NoOptions
from .configuration.layers import rank_of, settings_of

if TYPE_CHECKING:
    from ..fuzzing.baseline import Baseline


class Conflict(UsageError):
    """Two options that cannot be combined.

    `parameters` are the names of the command's parameters. A value from a configuration file or an environment variable
    is dropped in favor of the other option (see `Command.invoke`).
    """

    def __init__(self, message: str, *parameters: str) -> None:
        super().__init__(message)
        self.parameters = parameters


def read_engine(
    context: typer.Context,
    engine: Sequence[str] | None,
    option: Sequence[str] | None = None,
    name: Sequence[str] | None = None,
    against: Sequence[str] | None = None,
) -> tuple[EngineSpec | None, tuple[EngineSpec, ...]]:
    """Return the engine under test, if any, and its references. Raises UsageError, also if several are given."""
    if engine and len(engine) > 1:
        raise UsageError(f"--engine is given {len(engine)} times, but this command takes one engine", engine[0])
    tested, others = read_engines(context, engine, option, name, against)
    return (tested[0] if tested else None), others


def read_engines(
    context: typer.Context,
    engine: Sequence[str] | None,
    option: Sequence[str] | None = None,
    name: Sequence[str] | None = None,
    against: Sequence[str] | None = None,
) -> tuple[tuple[EngineSpec, ...], tuple[EngineSpec, ...]]:
    """Return the engines under test, with their options, and the references, all with names. Raises UsageError."""
    tested, others, options = tuple(engine or ()), tuple(against or ()), tuple(option or ())
    names = _applicable_names(context, name or (), tested, others)
    _check_options(options, tested)
    if names and not tested:
        raise UsageError("--name names the engine of -e: add -e SPEC, or leave out --name", names[0])
    specs = [*(EngineSpec(one).with_options(options) for one in tested), *map(EngineSpec, others)]
    if names or options or len(specs) > 1 or any(one.is_descriptor for one in specs):
        from ..engines.opening import name_engines

        specs = name_engines(specs, names)
    return tuple(specs[: len(tested)]), tuple(specs[len(tested) :])


def _applicable_names(
    context: typer.Context, names: Sequence[str], engine: Sequence[str], against: Sequence[str]
) -> Sequence[str]:
    """Return the names that belong to these engines.

    A name from a configuration file does not apply if the command line or a variable sets another engine, or if
    perft-check's generator is tested by default.
    """
    if "name" in settings_of(context) and not engine:
        return ()
    kept, reference = 0, "against" if "against" in context.params else "compare"
    for parameter, given in (("engine", engine), (reference, against)):
        if given and rank_of(context, parameter) < rank_of(context, "name"):
            return names[:kept]
        kept += len(given)
    return names


def _check_options(options: Sequence[str], engines: Sequence[str]) -> None:
    """Raise Conflict if UCI options are given, but no engine that accepts them."""
    if not options:
        return
    from ..engines.opening import check_spec

    if not engines:
        raise Conflict("-o sets an option of a UCI engine: add -e SPEC, or leave out -o", "option", "engine")
    for engine in engines:
        try:
            check_spec(EngineSpec(engine).with_options(options))
        except NoOptions as error:
            raise Conflict(str(error), "option", "engine") from None
        except UsageError:  # reported when the engine is opened
            continue


def reject(why: str, mode: str, given: Mapping[str, object]) -> None:
    """Raise Conflict for the first option in `given` that is set, because it cannot be combined with `mode`.

    The message begins with the option `mode` and the reason `why`.
    """
    for parameter, is_given in given.items():
        if is_given:
            raise Conflict(f"{_flag(mode)} {why}: leave out {_flag(parameter)}", mode, parameter)


def _flag(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"


def check_threads(threads: int | None, *engines: EngineSpec) -> None:
    """Raise Conflict if a number of threads is given, but no engine is one of perft-check's kernels."""
    if threads is not None and not any(engine.is_kernel for engine in engines):
        why = f"--threads works with {', '.join(KERNELS)}, not with {' and '.join(engines)}: leave it out"
        raise Conflict(why, "threads", "engine")


def check_table(hash_bytes: int | None, *engines: EngineSpec) -> None:
    """Raise Conflict if a hash table is requested that perft-check's kernel cannot use."""
    specs = dict.fromkeys(engines)
    unable = [spec for spec in specs if spec.is_kernel and not spec.supports_hash]
    if hash_bytes is not None and (unable or not any(spec.supports_hash for spec in specs)):
        why = f"--hash works with own:turbo and own:two-plies, not with {' and '.join(unable or specs)}: leave it out"
        raise Conflict(why, "hash", "engine")


def check_memory(memory: int | None, *engines: EngineSpec) -> None:
    """Raise Conflict if a memory limit is given, but no engine has a process of its own."""
    if memory is not None and all(engine.is_bundled for engine in engines):
        without = " and ".join(dict.fromkeys(engines)) or "counts given as text"
        why = f"--memory limits the process of an engine, not {without}: leave it out"
        raise Conflict(why, "memory", "engine")


def compared_with(
    engine: EngineSpec, against: Sequence[EngineSpec] = (), *, alone: bool = False
) -> tuple[EngineSpec, ...]:
    """Return the references for an engine: by default perft-check's generator, but none for that generator itself.

    Raises UsageError if the engine would be compared with itself.
    """
    if alone or against or engine.is_kernel:
        return references_of(engine, against)
    return (REFERENCE,)


def check_quick(quick: bool, suite: Sequence[str] | None) -> None:
    """Raise Conflict if both --quick and suites are given."""
    if quick and suite:
        raise Conflict("--quick chooses the suites: leave out -s", "quick", "suite")


def check_self_consistency(self_consistency: bool, against: Sequence[str]) -> None:
    """Raise Conflict if both --self-consistency and a reference are given."""
    if self_consistency and against:
        raise Conflict("--self-consistency uses no reference: leave out -a", "self_consistency", "against")


def read_baseline(path: str | None, updates: bool) -> Baseline | None:
    """Return the baseline of `--baseline`, or None. Raises UsageError."""
    if path is None:
        if updates:
            raise Conflict("--update-baseline needs --baseline FILE", "update_baseline", "baseline")
        return None
    from ..fuzzing.baseline import Baseline

    return Baseline.load(Path(path), may_be_missing=updates)


UNATTENDED = ("CI", "PRE_COMMIT", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")
"""Environment variables of CI services and hooks, in which no person reads the output."""


def refuse_unattended_self_test() -> None:
    """Raise UsageError in CI, where a self-test in place of a forgotten engine would pass unnoticed."""
    variable = next((name for name in UNATTENDED if os.environ.get(name, "").lower() not in ("", "0", "false")), None)
    if variable is not None:
        raise UsageError(
            f"no engine given, and {variable} is set: perft-check would only test itself; "
            "add -e ./my-engine, or -e own to test perft-check's generator"
        )


STDIN = "-"
"""The path that names standard input."""


def stdin_is_file() -> bool:
    """Return True if standard input is redirected from a regular file. A pipe may never end."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    except (AttributeError, OSError, ValueError):
        return False
