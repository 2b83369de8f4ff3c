"""Values from variables: PERFT_CHECK_MAX_NODES for every command, PERFT_CHECK_RUN_MAX_NODES for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....errors import UsageError
from .keys import OptionKey, applies
from .values import Given, Value

PREFIX = "PERFT_CHECK"
SWITCHES = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


def variable(*words: str) -> str:
    """Return the name of the variable for these words, such as a command and a key."""
    return "_".join([PREFIX, *words]).replace("-", "_").upper()


def values(environ: Mapping[str, str], path: tuple[str, ...], options: Mapping[str, OptionKey]) -> Iterator[Value]:
    """Yield a value for each option of a command that a variable sets. An empty variable sets nothing.

    A command is named by the words of `path`. Raises UsageError where a switch is neither on nor off.
    """
    for key, option in options.items():
        for words in [path[:length] for length in range(len(path), -1, -1)]:
            name = variable(*words, key)
            if environ.get(name) and applies(path, key, words):
                yield Value(option, _given(option, name, environ[name]), name, rank=1, is_variable=True)
                break


def _given(option: OptionKey, name: str, text: str) -> Given:
    if option.is_repeated:
        return [line for line in map(str.strip, text.splitlines()) if line]
    if not option.is_switch:
        return text
    if text.strip().lower() not in SWITCHES:
        raise UsageError(f"{name}: {text!r} is neither true nor false")
    return SWITCHES[text.strip().lower()]
