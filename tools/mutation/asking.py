"""Ask the `perft_check` on the path all questions of a file; print place and kind of the first wrong answer."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

from mutation.answers import ANSWERS


def main() -> None:
    """Print `[place, kind]`, or `[-1, ""]` where every answer is right."""
    questions = pickle.loads(Path(sys.argv[1]).read_bytes())
    for place, (kind, arguments, right) in enumerate(questions):
        if ANSWERS[kind](*arguments) != right:
            print(json.dumps([place, kind]))
            return
    print(json.dumps([-1, ""]))


if __name__ == "__main__":
    main()
