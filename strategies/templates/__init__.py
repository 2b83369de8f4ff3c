"""Positions built to show a rare event: a table of templates for each family, over one vocabulary of drawing."""

from .building import TEMPLATES, templates

__all__ = ["TEMPLATES", "templates"]
