"""The process of a fault that is hunted: `zoo serve` without its command line and its tallies.

A hunt starts several, and each starts in half the time.
"""

from __future__ import annotations

import sys

from ..catalogue import find_fault
from ..serve import serve

if __name__ == "__main__":
    sys.exit(serve(find_fault(sys.argv[1]), sys.stdin, is_watched=False))
