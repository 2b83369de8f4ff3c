"""`--install-completion` and `--show-completion`: the script by which a shell asks us how a line may go on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click
from click.shell_completion import get_completion_class, shell_complete

from ...errors import UsageError
from .program import COMPLETION, NAME

SHELLS = {"bash": "bash", "zsh": "zsh", "fish": "fish", "powershell": "powershell", "pwsh": "powershell"}
"""The shells, and what Click calls them."""
ZSH_FOLDER = "fpath+=~/.zfunc; autoload -Uz compinit; compinit"
ZSH_STYLE = "zstyle ':completion:*' menu select"
"""For whoever has no style of completion."""


def answer_shell(program: click.Command) -> int:
    """Answer a shell that asks, and return the exit status."""
    return shell_complete(program, {}, NAME, COMPLETION, os.environ[COMPLETION])


def show_completion(program: click.Command, shell: str) -> None:
    """Print the script. `shell` is a name, or empty for the one that has called us. Raises UsageError."""
    print(_script(program, _name_of(shell)))


def install_completion(program: click.Command, shell: str) -> None:
    """Write the script to where the shell finds it, from its next start on. Raises UsageError."""
    name = _name_of(shell)
    place = _INSTALLERS[SHELLS[name]](_script(program, name), name)
    print(f"{name} completion installed in {place}")
    print("Completion will take effect once you restart the terminal")


def _name_of(shell: str) -> str:
    name = shell or _calling_shell()
    if name not in SHELLS:
        raise UsageError(f"shell {name!r}: there is completion for {', '.join(SHELLS)}")
    return name


def _calling_shell() -> str:
    from shellingham import ShellDetectionFailure, detect_shell

    try:
        name, _ = detect_shell()
    except ShellDetectionFailure:
        raise UsageError(f"it is not known which shell this is: name one of {', '.join(SHELLS)}") from None
    return str(name)


def _script(program: click.Command, shell: str) -> str:
    kind = get_completion_class(SHELLS[shell])
    assert kind is not None, "Click knows these shells"
    return kind(program, {}, NAME, COMPLETION).source().strip()


def _install_bash(script: str, _shell: str) -> Path:
    place = _write(Path.home() / ".bash_completions" / f"{NAME}.sh", script)
    _append_missing(Path.home() / ".bashrc", f"source '{place}'")
    return place


def _install_zsh(script: str, _shell: str) -> Path:
    startup = Path.home() / ".zshrc"
    has_style = startup.is_file() and "zstyle" in startup.read_text(encoding="utf-8")
    _append_missing(startup, ZSH_FOLDER, *([] if has_style else [ZSH_STYLE]))
    return _write(Path.home() / ".zfunc" / f"_{NAME}", script)


def _install_fish(script: str, _shell: str) -> Path:
    return _write(Path.home() / ".config" / "fish" / "completions" / f"{NAME}.fish", script)


def _install_powershell(script: str, shell: str) -> Path:
    """Add the script to the profile that PowerShell names, and allow it to read that."""
    subprocess.run([shell, "-Command", "Set-ExecutionPolicy", "Unrestricted", "-Scope", "CurrentUser"], check=False)
    profile = subprocess.run([shell, "-NoProfile", "-Command", "echo", "$profile"], check=True, capture_output=True)
    place = Path(os.fsdecode(profile.stdout).strip())
    _append_missing(place, script)
    return place


_INSTALLERS = {
    "bash": _install_bash,
    "zsh": _install_zsh,
    "fish": _install_fish,
    "powershell": _install_powershell,
}


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")
    return path


def _append_missing(path: Path, *texts: str) -> None:
    """Append to a file what it does not have."""
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    missing = [text for text in texts if text not in before]
    if missing:
        _write(path, "\n".join([*([before.rstrip("\n")] if before else []), *missing]))
