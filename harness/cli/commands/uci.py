"""`perft-check uci`: our generator as an engine that speaks UCI over stdin and stdout."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from ...engines.kinds.own import KERNELS, OwnEngine
from ...engines.our_environment import load_numpy
from ...model.results.verdict import ExitCode
from ...uci.lines import Output, lines_of
from ...uci.session import Session

if TYPE_CHECKING:
    from ...uci.answering import Answers

STDIN, STDOUT = 0, 1


def main(engine: str) -> ExitCode:
    """Answer until `quit` or the end of the input. Raises OSError, UsageError."""
    lines = () if sys.stdin is None else lines_of(STDIN)  # closed by our parent
    Session(lines, Output(STDOUT), partial(_load, engine)).hold()
    return ExitCode.AGREE


def _load(engine: str) -> Answers:
    """Load the generator. A person at a terminal is told if it has to be compiled; tools often read stderr, too."""
    load_numpy()
    from ...uci.answering import Answers

    if sys.stderr.isatty() and (line := OwnEngine(engine).notice()) is not None:
        print(line, file=sys.stderr)
    return Answers(KERNELS[engine])
