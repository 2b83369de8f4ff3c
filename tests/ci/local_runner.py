"""A local runner of GitHub workflows that supports what the workflows and the action of perft-check use.

Other actions do nothing; `Runner.used` lists the calls.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

OUTPUTS_OF_ACTIONS = {"actions/setup-python": {"python-path": sys.executable}}
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_NAME = re.compile(r"[a-z]+(?:\.[\w-]+)+")

Context = dict[str, Any]


@dataclass
class Runner:
    """Runs a job in a checked-out repository."""

    repository: Path
    temp: Path
    """The folder for temporary files of the job."""
    action: Path
    """The folder with the action that the workflow calls OWNER/perft-check."""
    env: Mapping[str, str]
    done: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Outputs of steps that are not run, by identifier."""
    github: Mapping[str, str] = field(default_factory=dict)
    """Properties of the run that expressions use, such as its number."""
    log: list[str] = field(default_factory=list)
    """The stdout of each step."""
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Other actions that were called, with their inputs."""

    @property
    def summary(self) -> str:
        """The summary that the steps wrote."""
        file = self.temp / "summary.md"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def annotations(self) -> list[str]:
        """The annotations that the steps printed."""
        return [line for text in self.log for line in text.splitlines() if line.startswith("::")]

    def run(self, workflow: str) -> int:
        """Run the only job of a workflow; return the exit status of the first step that fails, or 0."""
        (job,) = yaml.safe_load(workflow)["jobs"].values()
        self.temp.mkdir(parents=True, exist_ok=True)
        return self._steps(job["steps"], {}, self.repository)

    def _steps(self, steps: list[dict[str, Any]], inputs: Context, action: Path) -> int:
        context: Context = {
            "inputs": inputs,
            "steps": {},
            "runner": {"temp": str(self.temp), "os": "Linux", "arch": "X64"},
            "github": {**self.github, "action_path": str(action)},
        }
        failed = 0
        for step in steps:
            if self._is_skipped(step.get("if", "success()"), context, bool(failed)):
                continue
            status, outputs = self._step(step, context)
            context["steps"][step.get("id", "")] = {"outputs": outputs}
            failed = failed or status
        return failed

    def _step(self, step: dict[str, Any], context: Context) -> tuple[int, Mapping[str, str]]:
        name = step.get("id", "")
        if name in self.done:
            return 0, self.done[name]
        if "run" in step:
            return self._shell(step, context)
        given = {key: filled(str(value), context) for key, value in step.get("with", {}).items()}
        action = step["uses"].partition("@")[0]
        if action.endswith("/perft-check"):
            return self._our_action(given), {}
        self.used.append((action, given))
        return 0, OUTPUTS_OF_ACTIONS.get(action, {})

    def _our_action(self, given: dict[str, str]) -> int:
        action = yaml.safe_load((self.action / "action.yml").read_text(encoding="utf-8"))
        inputs = {name: given.get(name, one.get("default", "")) for name, one in action["inputs"].items()}
        return self._steps(action["runs"]["steps"], inputs, self.action)

    def _shell(self, step: dict[str, Any], context: Context) -> tuple[int, Mapping[str, str]]:
        outputs = self.temp / "outputs"
        outputs.write_text("", encoding="utf-8")
        env = {
            **self.env,
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.repository),
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
            "RUNNER_TEMP": str(self.temp),
            **{key: filled(str(value), context) for key, value in step.get("env", {}).items()},
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"], context)]
        finished = subprocess.run(
            command, cwd=self.repository, env=env, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
        )
        self.log.append(finished.stdout)
        pairs = (line.partition("=") for line in outputs.read_text(encoding="utf-8").splitlines())
        return finished.returncode, {key: value for key, _, value in pairs}

    @staticmethod
    def _is_skipped(condition: str, context: Context, has_failed: bool) -> bool:
        runs_after_failures = "always()" in condition
        text = condition.replace("always()", "True").replace("success()", "True").replace("&&", "and")
        python = _NAME.sub(lambda found: repr(value_of(found[0], context)), text)
        return (has_failed and not runs_after_failures) or not eval(python)


def filled(text: str, context: Context) -> str:
    """Replace the expressions in a text with their values."""
    return _EXPRESSION.sub(lambda found: value_of(found[1], context), text)


def value_of(name: str, context: Context) -> str:
    """Return the value of a name such as `steps.install.outputs.reports`, "" if it has none."""
    value: Any = context
    for part in name.split("."):
        value = value.get(part, "") if isinstance(value, Mapping) else ""
    return str(value)
