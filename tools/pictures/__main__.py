"""Make the pictures of the pages anew, from the program's own data: `cd tools && python -m pictures`."""

from __future__ import annotations

from pictures.all import FOLDER, pictures

for name, text in pictures().items():
    (FOLDER / name).parent.mkdir(exist_ok=True)
    (FOLDER / name).write_text(text, encoding="utf-8")
