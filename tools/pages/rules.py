"""The table of `docs/rules.md`."""

from __future__ import annotations

from perft_check.harness.explaining.examples import rule_texts


def render_rules() -> str:
    """Return the table of all rules, with their sources."""
    lines = ["| rule | what it says | source |", "| --- | --- | --- |"]
    lines += [f"| `{rule.value}`: {rule.title} | {one.text} | {one.source} |" for rule, one in rule_texts().items()]
    return "\n".join(lines)
