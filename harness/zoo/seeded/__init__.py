"""The right generators whose hooks a fault overrides, and wrappers that count how often that matters."""
