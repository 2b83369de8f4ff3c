"""Answer all questions in a file with the `perft_check` on the path; print the first that it answers incorrectly."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

from mutation.answers import ANSWERS


def main() -> None:
    """Print the index and kind of the question as `[index, kind]`, or `[-1, ""]` if every answer is correct."""
    questions = pickle.loads(Path(sys.argv[1]).read_bytes())
    for place, (kind, arguments, expected) in enumerate(questions):
        if ANSWERS[kind](*arguments) != expected:
            print(json.dumps([place, kind]))
            return
    print(json.dumps([-1, ""]))


if __name__ == "__main__":
    main()
