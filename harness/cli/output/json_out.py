"""A result as JSON on stdout. What makes it is loaded when it is printed: most commands are not asked for JSON."""

from __future__ import annotations

import sys


def print_json(result: object) -> None:
    """Print a result as one JSON document."""
    from ....reports.formats.json import JSON

    sys.stdout.write(JSON.render(result))
