"""The words of a command that starts a program: places in them, quotation marks, as the user has typed them, and which
program it is about where others start that, as shells, interpreters, `env` and `docker` do.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import dropwhile, groupby
from pathlib import Path, PurePath
from typing import NamedTuple

FEN, FIELDS, DEPTH = "{fen}", "{fields}", "{depth}"
"""Places in a command; `{fields}` are the six fields of the FEN, an argument each."""
STDIN = "<<<"
"""The word of a command behind which each word is a line on its stdin."""
_PLAIN = re.compile(r"[\w@%+=:,./{}<-]+", re.ASCII)
"""Words that `split_words` takes as they are."""
ESCAPE = "" if os.name == "nt" else "\\"
"""What takes the meaning of the next character in a command; on Windows it stands in paths."""
_NAME = re.compile(r"(?:(?:uci|cmd|script):)?\s*(\S+)")
"""The program at the beginning of a SPEC."""
_SCRIPT_OPTION = re.compile("-[a-z]*c")
"""Behind it sh, bash and Python take a word that is a whole script."""


def has_places(command: str) -> bool:
    """Tell whether a command is one of a program that is started for each question: it has a place for position or
    depth.
    """
    return any(place in command for place in (FEN, FIELDS, DEPTH))


def missing_place(command: str) -> str | None:
    """Return the place that such a command still needs, None where it has both."""
    needed = {FEN: FEN in command or FIELDS in command, DEPTH: DEPTH in command}
    return next((place for place, is_there in needed.items() if not is_there), None)


def split_words(command: str, punctuation: str = "") -> list[str]:
    """Return the words of a command, which is quoted as for a shell; signs of `punctuation` are words of their own.

    Raises ValueError where a quotation mark is without its other one.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=punctuation)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    return list(lexer)


def join_words(words: Iterable[str]) -> str:
    """Return a command of these words, which `split_words` undoes; places need no quotation marks."""
    return " ".join(word if _PLAIN.fullmatch(word) else shlex.quote(word) for word in words)


def as_typed(spec: str, launch: Sequence[str]) -> list[str]:
    """Return the words that start an engine as its SPEC has them: a program of the PATH by its name, not its path."""
    name = _NAME.match(spec)
    is_name = name is not None and name[1] == Path(launch[0]).name
    return [Path(launch[0]).name, *launch[1:]] if is_name else list(launch)


def program_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command that name its program and what it is always given: those before the first that has
    a place, without the options to which the place belongs. None are left where the place is inside a script.
    """
    first = next((at for at, word in enumerate(words) if word == STDIN or has_places(word)), len(words))
    found = list(words[:first])
    if first == len(words) or words[first] == STDIN:
        return found
    if " " in words[first] and _SCRIPT_OPTION.fullmatch(found[-1] if found else ""):
        return []
    while len(found) > 1 and found[-1].startswith("-"):
        found.pop()
    return found


def name_program(words: Sequence[str]) -> str:
    """Return the SPEC of a program by its words: a single one is taken as it is, whatever blanks it has."""
    return words[0] if len(words) == 1 else join_words(words)


class _Starter(NamedTuple):
    """A program that starts another one: a pattern for its name, with its first argument if need be; options with a
    value; those before what it starts, a script or nameless code; and how many words stand before what it starts.
    """

    names: str
    valued: str = ""
    named: str = "(?!)"
    script: str = "(?!)"
    code: str = "(?!)"
    before: int = 0


_STARTERS = (
    _Starter("nohup|time|exec|command|unbuffer|rlwrap|wine[0-9]*|mono|npx|uvx|tsx|(?:go|bun|uv|npm|poetry) run"),
    _Starter("(?:conda|mamba) run", "-n --name -p --prefix"),
    _Starter("env|sudo|doas", "-u --unset --user -g --group -C --chdir", script="-S|--split-string"),
    _Starter("nice|ionice|stdbuf|numactl|valgrind|strace|qemu-[a-z0-9_]+", "-n -c -i -o -e -s -N -m -C -L -cpu"),
    _Starter("timeout|taskset|chrt|setarch|ssh", "-s --signal -k --kill-after -p -i -l -o -F -J", before=1),
    _Starter("(?:docker|podman|nerdctl) exec", "-e --env -u --user -w --workdir", before=1),
    _Starter(
        "(?:docker|podman|nerdctl) run",
        "-v --volume -e --env --env-file -w --workdir -u --user -m -p --name --network --cpus --entrypoint --mount",
    ),
    _Starter("(?:ba|da|z|k|a|fi)?sh|cmd|powershell|pwsh", "-o +o", "-(?i:file)", "(?i:-[a-z]*c|-command|/[ck])"),
    _Starter("(?:python|pypy)[0-9.]*|py", "-W -X", "-[a-zA-Z]*m", code="-[a-zA-Z]*c"),
    _Starter("node|nodejs|deno|deno run|bun", "-r --require --import", code="-e|-p|--eval|--print"),
    _Starter("ruby|perl|lua[0-9.]*|luajit|julia|php", "-I -r -l", code="-[a-zA-Z]*[eE]"),
    _Starter("java", "-cp -classpath --class-path -p --module-path --add-modules", "-jar|-m|--module"),
    _Starter("(?:dotnet|cargo) (?:run|exec)|dotnet", "-c --configuration -f --framework", "--project|--bin|--example"),
)
VARIABLE = re.compile(r"[A-Za-z_]\w*=")
"""A word before a program that a shell would take for a variable of its environment."""
_OPTION = re.compile("[-+].+|/[a-zA-Z]")
_SEPARATOR = re.compile("[;&|()]+")
_BEFORE_COMMANDS = {"if", "then", "elif", "else", "while", "until", "do", "{", "!"}
"""Words of a shell behind which a command follows."""
_TOOL = re.compile(
    r"cd|echo|printf|cat|read|set|export|unset|source|ulimit|umask|test|true|false|for|case|esac|done|fi|trap|wait|sleep|"
    r"eval|exit|return|mkdir|rm|cp|mv|touch|tee|e?grep|sed|awk|tail|head|tr|cut|sort|wc|[].:}[]+|[$<>-].*"
)
"""What begins a command of a script that is not the engine."""


def program_in(command: str) -> str:
    """Return the path or the name of the program that a command is about; "" where the command cannot be read."""
    try:
        words = split_words(command)
        return _program_of(words) if words else ""
    except ValueError:
        return ""


def _program_of(words: Sequence[str]) -> str:
    """Return the program that a command with these words is about."""
    program, *rest = [*dropwhile(VARIABLE.match, words)] or words
    name = PurePath(program).name.removesuffix(".exe")
    for called, arguments in ((" ".join([name, *rest[:1]]), rest[1:]), (name, rest)):
        for starter in _STARTERS:
            if re.fullmatch(starter.names, called):
                return _started_by(starter, program, arguments) or program
    return program


def _started_by(starter: _Starter, program: str, arguments: Sequence[str]) -> str | None:
    """Return what a program starts that has these arguments, None where there is nothing."""
    place = 0
    while place < len(arguments) and _OPTION.fullmatch(word := arguments[place]):
        option, has_value, value = word.partition("=")
        after = value if has_value else "".join(arguments[place + 1 : place + 2])
        if re.fullmatch(starter.code, word):
            return f"{program} {word}"
        if re.fullmatch(starter.script, word):
            return _program_in_script(after) or f"{program} {word}"
        if re.fullmatch(starter.named, option):
            return after
        place += 2 if word in starter.valued.split() else 1
    rest = arguments[place + starter.before :]
    return _program_of(rest) if rest else None


def _program_in_script(script: str) -> str | None:
    """Return the program that a script for a shell is about: the first one that is no tool of the shell."""
    words = split_words(script.replace("\n", " ; "), ";&|()")
    for is_between, group in groupby(words, lambda word: bool(_SEPARATOR.fullmatch(word))):
        command = list(dropwhile(_BEFORE_COMMANDS.__contains__, group))
        program = _program_of(command) if command and not is_between else "$"
        if not _TOOL.fullmatch(PurePath(program).name):
            return program
    return None
