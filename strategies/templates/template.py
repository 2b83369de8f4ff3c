"""What a template is: a function that puts on a scene what its event needs, and nothing else.

Templates build for White to move and may leave out kings, which are then put where they are safe.
They raise `NoRoom` where their own draws have left no room.
"""

from __future__ import annotations

from collections.abc import Callable

from ..scene import PiecePlacement

Template = Callable[[PiecePlacement], object]
