"""Execution of tasks in threads or processes of this machine."""
