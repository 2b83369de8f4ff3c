"""Strategy for positions built to have a rare event; each module has the templates of one family of events."""

from .building import TEMPLATES, templates

__all__ = ["TEMPLATES", "templates"]
