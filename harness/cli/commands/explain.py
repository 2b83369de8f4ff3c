"""`perft-check explain`: what a rule means that a report names, with an example, or all rules."""

from __future__ import annotations

from ....reports.terminal import rules as terminal
from ...explaining.examples import find_rule, rule_texts
from ...model.results.verdict import ExitCode
from ..output import console
from ..settings.zoo import ExplainSettings


def main(settings: ExplainSettings) -> ExitCode:
    """Print a rule, or a table of all. Raises UsageError where there is no such rule."""
    if settings.rule is None:
        console.out().print(terminal.rule_table(rule_texts().values()))
        return ExitCode.AGREE
    found = find_rule(settings.rule)
    from ...zoo.catalogue import ZOO  # here: it loads python-chess

    faults = [fault for fault in ZOO.values() if found.rule.value in fault.rules]
    console.out().print(terminal.render(found, faults))
    return ExitCode.AGREE
