"""The engines of a pytest session, and the conversion of errors for pytest.

Engines are started, and modules that import the compiler are loaded, when they are first needed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pytest

from ...errors import UserError, shorten
from ...suites.case import Case
from ..checking.running.plan import LIMIT, RunPlan
from ..checking.running.record import CaseRecord
from ..engines.asking.runner import ForegroundCallRunner
from ..engines.asking.session import EngineSession
from ..engines.opening import open_session
from ..engines.spec import EngineSpec
from ..model.results.events import CaseResult
from ..shutdown import Interrupt
from .settings import Settings

if TYPE_CHECKING:
    from ..checking.running.counter import CaseCounter
    from ..checking.running.explainer import Explainer


P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 1_000
"""Maximum length of an error message in characters, because it may quote arbitrarily long input."""


@contextmanager
def as_usage_errors() -> Iterator[None]:
    """Convert errors to pytest's UsageError, which ends the session with exit status 4."""
    try:
        yield
    except UserError as error:
        raise pytest.UsageError(shorten(error.with_advice, LONGEST)) from None


@contextmanager
def as_failures() -> Iterator[None]:
    """Convert errors to test failures."""
    __tracebackhide__ = True
    try:
        yield
    except UserError as error:
        raise pytest.fail.Exception(shorten(str(error), LONGEST), pytrace=False) from None


def raising_for_the_test(function: Callable[P, T]) -> Callable[P, T]:
    """Remove inner frames from the errors of a function, so that pytest shows the line in the test that called it."""

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return function(*arguments, **named)
        except (UserError, TypeError, ValueError) as error:
            raise error.with_traceback(None) from None

    return call


class Tester:
    """Checks cases with the engine under test. It is not thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.spec = EngineSpec(settings.engine)
        self._is_started = False
        self._failure: UserError | None = None
        """The error that prevented the engine from starting."""

    def start(self) -> None:
        """Start the engine unless it is running. A failed start is not retried.

        Raises UsageError, EngineError.
        """
        if self._failure is not None:
            raise self._failure
        if self._is_started:
            return
        try:
            self._counter.start()
        except UserError as failure:
            self._failure = failure
            raise
        self._is_started = True

    def check(self, case: Case, suite: str) -> CaseResult:
        """Check a case of a suite. Raises UsageError, EngineError if the engine cannot be started."""
        self.start()
        self._caller.resume()
        outcome = self._counter.count(CaseRecord(case, suite))
        return outcome if isinstance(outcome, CaseResult) else self._explainer.explain(outcome)

    @property
    def engine(self) -> EngineSession:
        """The engine under test, started if necessary. Raises UsageError, EngineError."""
        self.start()
        self._caller.resume()
        return self._counter.engine

    def close(self) -> None:
        """Close the engines. The next question starts them again."""
        if "_explainer" in self.__dict__:
            self._explainer.close()
        if "_counter" in self.__dict__:
            self._counter.close()

    @cached_property
    def _caller(self) -> ForegroundCallRunner:
        return ForegroundCallRunner(Interrupt())

    @cached_property
    def _explainer(self) -> Explainer:
        from ..checking.running.explainer import Explainer

        return Explainer(self._counter)

    @cached_property
    def _counter(self) -> CaseCounter:
        from ..checking.running.counter import CaseCounter

        timeout = self.settings.timeout
        plan = RunPlan(
            engine=partial(open_session, self.spec),
            suites=(),
            arbiter=partial(open_session, self.spec.default_reference),
            limit=LIMIT if timeout is None else replace(LIMIT, seconds=timeout),
        )
        return CaseCounter(plan, logging.getLogger("perft_check").info, self._caller)


TESTER = pytest.StashKey[Tester]()
"""The key of the tester in the stash of pytest's config object."""
