"""Strategy for positions built to have a rare event; each module contains the templates for one family of events."""

from .building import TEMPLATES, templates

__all__ = ["TEMPLATES", "templates"]
