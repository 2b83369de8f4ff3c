"""Ask the `perft_check` on the path all questions in a file; print index and kind of the first incorrect answer."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

from mutation.answers import ANSWERS


def main() -> None:
    """Print `[index, kind]`, or `[-1, ""]` if every answer is correct."""
    questions = pickle.loads(Path(sys.argv[1]).read_bytes())
    for place, (kind, arguments, expected) in enumerate(questions):
        if ANSWERS[kind](*arguments) != expected:
            print(json.dumps([place, kind]))
            return
    print(json.dumps([-1, ""]))


if __name__ == "__main__":
    main()
