"""Distributions with any file or path that does not belong there are rejected."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import distributions
import pytest

PLAIN = "perft_check-0.1.0-py3-none-any.whl"
SOURCES = "perft_check-0.1.0.tar.gz"
FILES: Mapping[str, bytes] = {
    "perft_check/__init__.py": b'FOLDER = "/tmp/games"\n',
    "perft_check-0.1.0.dist-info/METADATA": b"Name: perft-check\n\n    cd /home/me/engine\n",
    "perft_check-0.1.0.dist-info/WHEEL": b"Root-Is-Purelib: true\n",
    "perft_check-0.1.0.dist-info/RECORD": b"perft_check/harness/machine.py,sha256=0123,22\n",
}


def faults(name: str, more: Mapping[str, bytes]) -> list[str]:
    return list(distributions.faults_of(name, {**FILES, **more}))


@pytest.mark.parametrize(
    ("name", "more", "fault"),
    [
        (PLAIN, {"tests/test_perft.py": b""}, "tests/test_perft.py does not belong to the package"),
        (
            SOURCES,
            {"perft_check-0.1.0/tests/test_perft.py": b""},
            "perft_check-0.1.0/tests/test_perft.py does not belong to the package",
        ),
        (PLAIN, {"perft_check/line.pyc": b""}, "perft_check/line.pyc belongs to a cache"),
        (PLAIN, {"perft_check/play.kernel.lock": b""}, "perft_check/play.kernel.lock belongs to a cache"),
        (
            PLAIN,
            {"perft_check/line.py": b"# /home/me/perft-check"},
            "perft_check/line.py contains a path of the build machine: b'/home/me/perft-check'",
        ),
    ],
)
def test_what_does_not_belong_there_is_a_fault(name: str, more: Mapping[str, bytes], fault: str) -> None:
    assert faults(name, more) == [fault]


def test_the_exit_status_is_1_if_there_are_faults(tmp_path: Path) -> None:
    wheel, sdist = tmp_path / PLAIN, tmp_path / SOURCES
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    with tarfile.open(sdist, "w:gz") as archive_of_sources:
        member = tarfile.TarInfo("perft_check-0.1.0/__pycache__/a.py")
        archive_of_sources.addfile(member, io.BytesIO())
    program = [sys.executable, str(Path(distributions.__file__))]
    done = subprocess.run([*program, wheel, sdist], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == (
        f"{PLAIN}: 4 files, nothing of tests, caches or this machine\n"
        f"{sdist.name}: perft_check-0.1.0/__pycache__/a.py belongs to a cache\n"
    )
    assert subprocess.run([*program, wheel], capture_output=True, check=False).returncode == 0
