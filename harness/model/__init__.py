"""The data that commands exchange: events and results (`results/`), capabilities, conventions of move lists."""
