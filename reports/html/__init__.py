"""HTML pages: functions that convert results to template contexts, the templates, style sheets and scripts.

Facts and sentences are the same as in terminal reports. Jinja2 and python-chess are imported only when a page is
written.
"""
