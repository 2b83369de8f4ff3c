"""`perft-check suites gallery`: a page of all rare events."""

from __future__ import annotations

from ....reports.text import count
from ...model.results.verdict import ExitCode
from ...zoo.gallery.exhibits import gallery
from ...zoo.gallery.model import Gallery
from ..output import console
from ..output.report_files import STDOUT, distinct, parse_target, write_reports
from ..settings.suites import GallerySettings

DEFAULT = "gallery.html"
"""Where the page goes for which no file is named."""


def main(settings: GallerySettings) -> ExitCode:
    """Run the faults in the positions of the gallery and write its page. Raises UsageError."""
    targets = distinct([parse_target(text, Gallery) for text in settings.reports or (DEFAULT,)])
    console.err().print("running faults of the zoo in the positions of the gallery", style="dim")
    shown = gallery()
    status = write_reports(shown, targets, ExitCode.AGREE)
    for target in targets:
        if status is ExitCode.AGREE and target.path != STDOUT:
            console.out().print(f"{count(len(shown.exhibits), 'rare event')}: written to {target.path}", soft_wrap=True)
    return status
