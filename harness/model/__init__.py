"""Data that commands exchange: events and results (`results/`), capabilities, and conventions of move lists."""
