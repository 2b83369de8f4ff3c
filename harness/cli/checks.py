"""What several commands check of their options, and how they read engines: options that do not fit together conflict.

Nothing here needs numpy, so that a mistake is reported at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer

from ...errors import UsageError
from ..engines.spec import KERNELS, REFERENCE, EngineSpec, references_of
from ..engines.uci_options import NoOptions
from .configuration.layers import rank_of, settings_of


class Conflict(UsageError):
    """Options that are given and do not fit together; `parameters` are those of the command."""

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
    """Do as `read_engines` for a command that takes one engine. Raises UsageError also if there are more."""
    if engine and len(engine) > 1:
        raise UsageError(f"--engine is given {len(engine)} times: this command takes one engine", engine[0])
    tested, others = read_engines(context, engine, option, name, against)
    return (tested[0] if tested else None), others


def read_engines(
    context: typer.Context,
    engine: Sequence[str] | None,
    option: Sequence[str] | None = None,
    name: Sequence[str] | None = None,
    against: Sequence[str] | None = None,
) -> tuple[tuple[EngineSpec, ...], tuple[EngineSpec, ...]]:
    """Return the engines under test with their options, and the references, all with their names. Raises UsageError."""
    tested, others, options = tuple(engine or ()), tuple(against or ()), tuple(option or ())
    names = _own_names(context, name or (), tested, others)
    _check_options(options, tested)
    if names and not tested:
        raise UsageError("--name says what an engine is called: say with -e which one", names[0])
    specs = [*(EngineSpec(one).with_options(options) for one in tested), *map(EngineSpec, others)]
    if names or options or len(specs) > 1 or any(one.is_descriptor for one in specs):
        from ..engines.opening import name_engines

        specs = name_engines(specs, names)
    return tuple(specs[: len(tested)]), tuple(specs[len(tested) :])


def _own_names(
    context: typer.Context, names: Sequence[str], engine: Sequence[str], against: Sequence[str]
) -> Sequence[str]:
    """Return names without those of other engines: a name in a file is not meant for an engine that the command line
    or a variable puts in the place of that of the file, nor for our own.
    """
    if "name" in settings_of(context) and not engine:
        return ()
    kept, beside = 0, "against" if "against" in context.params else "compare"
    for parameter, given in (("engine", engine), (beside, against)):
        if given and rank_of(context, parameter) < rank_of(context, "name"):
            return names[:kept]
        kept += len(given)
    return names


def _check_options(options: Sequence[str], engines: Sequence[str]) -> None:
    """Raise Conflict if options are given, and no engine or one that takes none; what else is wrong shows later."""
    if not options:
        return
    from ..engines.opening import check_spec

    if not engines:
        raise Conflict("-o sets options of a UCI engine: name one with -e", "option", "engine")
    for engine in engines:
        try:
            check_spec(EngineSpec(engine).with_options(options))
        except NoOptions as error:
            raise Conflict(str(error), "option", "engine") from None
        except UsageError:  # it is reported once the engine is needed
            continue


def reject(why: str, mode: str, given: Mapping[str, object]) -> None:
    """Raise Conflict, which says why, for the first option that is given beside `mode`, by their parameters."""
    for parameter, is_given in given.items():
        if is_given:
            raise Conflict(f"{_flag(mode)} {why}: leave out {_flag(parameter)}", mode, parameter)


def _flag(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"


def check_threads(threads: int | None, *engines: EngineSpec) -> None:
    """Raise Conflict if threads are given, and none of the engines has kernels that share a count."""
    if threads is not None and not any(engine.is_kernel for engine in engines):
        why = f"--threads is for {', '.join(KERNELS)}: leave it out with {' and '.join(engines)}"
        raise Conflict(why, "threads", "engine")


def check_table(hash_bytes: int | None, *engines: EngineSpec) -> None:
    """Raise Conflict if a table is asked for that one of our engines cannot use."""
    specs = dict.fromkeys(engines)
    unable = [spec for spec in specs if spec.is_kernel and not spec.supports_hash]
    if hash_bytes is not None and (unable or not any(spec.supports_hash for spec in specs)):
        why = f"--hash is for own:turbo and own:two-plies: leave it out with {' and '.join(unable or specs)}"
        raise Conflict(why, "hash", "engine")


def compared_with(
    engine: EngineSpec, against: Sequence[EngineSpec] = (), *, alone: bool = False
) -> tuple[EngineSpec, ...]:
    """Return the references of an engine: by default our own generator, and none for that.

    Raises UsageError if the engine would be compared with itself.
    """
    if alone or against or engine.is_kernel:
        return references_of(engine, against)
    return (REFERENCE,)


def check_quick(quick: bool, suite: Sequence[str] | None) -> None:
    """Raise Conflict if suites are named beside --quick, which names its own."""
    if quick and suite:
        raise Conflict("--quick runs suites of its own: leave out -s", "quick", "suite")


def check_self_consistency(self_consistency: bool, against: Sequence[str]) -> None:
    """Raise Conflict if an engine is to be compared with itself and with a reference."""
    if self_consistency and against:
        raise Conflict("--self-consistency needs no reference: leave out -a", "self_consistency", "against")
