"""Available memory, including in a container."""

from __future__ import annotations

from pathlib import Path

import pytest
from perft_check.platforms import memory


def test_cached_files_of_a_container_count_as_available(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "CONTROL_GROUP", str(tmp_path))
    whole = memory.available_bytes()
    files = {"max": "50000000\n", "current": "49000000\n", "stat": "anon 2\nfile 46000000\ninactive_file 40000000\n"}
    for name, text in files.items():
        (tmp_path / f"memory.{name}").write_text(text, encoding="ascii")
    assert memory.available_bytes() == 41_000_000
    (tmp_path / "memory.stat").unlink()
    assert memory.available_bytes() == 1_000_000
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert memory.available_bytes() > min(whole, 1 << 28) // 2
