"""Entry point of `perft-check` and `python -m perft_check`."""


def main() -> None: ...
