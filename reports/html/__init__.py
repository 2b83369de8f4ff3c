"""HTML pages: functions that turn results into template contexts, the templates, style sheets and scripts.

Facts and sentences are those of terminal reports. Jinja2 and python-chess are imported only when a page is written.
"""
