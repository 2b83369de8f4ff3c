"""HTML pages: the functions that turn a result into what a template shows, the templates, their style and script.

The facts and sentences are those of the reports for terminals. Jinja2 and python-chess are loaded only if a page is
written.
"""
