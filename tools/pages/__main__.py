"""Update the generated pages and pictures of `docs/`, and the JSON Schema: `python -m tools.pages`.

It writes the files that are out of date, and prints their names. With `--check` it writes nothing, and exits with
status 1 if a file is out of date.
"""

from __future__ import annotations

import argparse
import sys

from .generated import ROOT, UNCHECKED, differing_files, generate_files, write_files


def main() -> None:
    """Write or check the files; print the names of those that are out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description="Update the generated pages of docs/.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with status 1 if a file is out of date"
    )
    is_check = parser.parse_args().check
    files = generate_files(ROOT)
    names = differing_files(ROOT, files)
    if is_check:
        names = [name for name in names if name not in UNCHECKED]
    else:
        write_files(ROOT, files, names)
    print(*names, sep="\n", end="\n" if names else "")
    sys.exit(is_check and bool(names))


if __name__ == "__main__":
    main()
