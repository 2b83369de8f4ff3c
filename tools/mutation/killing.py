"""Run mutants in child processes, and ask questions until an answer is incorrect.

A mutant is killed by an incorrect answer, an error, a crash or a timeout.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import resource
import signal
import struct
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mutation.mutants import Mutant
from mutation.ordering import QuestionOrder
from mutation.questions import Question
from mutation.replacing import install_mutant, original_tables

SECONDS, PATIENT_SECONDS = 2.0, 60.0
"""CPU time limit for one question, and for one of a slow kind."""
_PATIENT = ("soak", "patterns", "lines")
_MEMORY = 4 << 30
"""Memory limit, in addition to the memory that the process has inherited from its parent."""
_PLACE = struct.Struct("i")
_IMPORTING, _RIGHT, _WRONG, _ERROR = -1, 0, 1, 2


class MutantOutcome(NamedTuple):
    """The outcome of a mutant."""

    id: str
    fate: str
    """`survived`, or what killed it: `wrong answer`, `error`, `crash`, `time`."""
    by: str = ""
    """The kind of the question that killed it, or `import`."""
    question: int = -1
    """The index of this question in the list of questions."""

    @property
    def survived(self) -> bool:
        """True if no question killed the mutant."""
        return self.fate == "survived"


class _MutantTrial(NamedTuple):
    """A mutant whose child process is running."""

    mutant: Mutant
    process: int
    place: mmap.mmap


def outcomes(mutants: Iterable[Mutant], questions: Sequence[Question], jobs: int = 1) -> Iterator[MutantOutcome]:
    """Yield the outcomes of the mutants in order."""
    original_tables()
    order = QuestionOrder([question.kind for question in questions])
    waiting, running = deque(mutants), deque[_MutantTrial]()
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(_start(waiting.popleft(), questions, order))
        outcome = _end(trial := running.popleft(), questions)
        if outcome.question >= 0:
            order.credit(trial.mutant.module, outcome.question)
        yield outcome


def _start(mutant: Mutant, questions: Sequence[Question], order: QuestionOrder) -> _MutantTrial:
    """Start a child process that answers the questions, and stores the index of the current one in `place`."""
    place = mmap.mmap(-1, _PLACE.size)
    process = os.fork()
    if process:
        return _MutantTrial(mutant, process, place)
    try:
        code = _ask(mutant, questions, order.for_module(mutant.module), place)
    except BaseException:
        code = _ERROR
    os._exit(code)


def _end(trial: _MutantTrial, questions: Sequence[Question]) -> MutantOutcome:
    """Wait for a child process to end; return the outcome."""
    _, status = os.waitpid(trial.process, 0)
    code, (number,) = os.waitstatus_to_exitcode(status), _PLACE.unpack(trial.place[:])
    if code == _RIGHT:
        return MutantOutcome(trial.mutant.id, "survived")
    fates = {_WRONG: "wrong answer", _ERROR: "error", -signal.SIGVTALRM: "time"}
    by = "import" if number == _IMPORTING else questions[number].kind
    return MutantOutcome(trial.mutant.id, fates.get(code, "crash"), by, number)


def _ask(mutant: Mutant, questions: Sequence[Question], order: Iterable[int], place: mmap.mmap) -> int:
    warnings.simplefilter("ignore")
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # messages about a heap that a mutant has corrupted
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + _MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    place[:] = _PLACE.pack(_IMPORTING)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENT_SECONDS)
    install_mutant(mutant)
    for number in order:
        place[:] = _PLACE.pack(number)
        patient = questions[number].kind in _PATIENT
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENT_SECONDS if patient else SECONDS)
        if not questions[number].is_answered_correctly():
            return _WRONG
    return _RIGHT


def _address_space() -> int:
    """Return the size of this process's address space in bytes, or 0 if it is unknown."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return 0
