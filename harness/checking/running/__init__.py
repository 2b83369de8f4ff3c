"""Runs of suites: plan and schedule, counting in threads, and explanation of failures."""
