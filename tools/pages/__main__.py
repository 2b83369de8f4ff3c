"""Make all generated pages and pictures of `docs/`, and the schema of our JSON: `python -m tools.pages`.

It writes the files that differ, and prints their names. With `--check` it writes nothing, and exits with 1 where one
differs.
"""

from __future__ import annotations

import argparse
import sys

from .generated import ROOT, UNCHECKED, differing_files, generate_files, write_files


def main() -> None:
    """Write the files, or check them; print the name of each that differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description="Make the generated pages of docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a file differs")
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
