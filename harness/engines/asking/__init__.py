"""One way to ask an engine, to ask ahead of its answers, and to ask again."""
