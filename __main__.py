"""Entry point of `perft-check` and `python -m perft_check`."""

import os
import sys


def main() -> None:
    """Run the command-line interface and exit with its status."""
    # Python loses a Ctrl-C during a callback of an import, so as little as possible is imported before this.
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(130))
    except KeyboardInterrupt:
        os._exit(130)
    from .harness.cli import program
    from .harness.shutdown import exit_on_interrupt

    exit_on_interrupt()
    program.main()


def _leave_the_current_folder() -> None:
    """Remove the current folder from the module search path, to which `python -m` prepends it.

    If it contains this package, it is moved to the end so that child processes can find the package.
    """
    try:
        here = os.getcwd()
    except OSError:  # the folder was deleted
        return
    if sys.flags.safe_path or sys.path[0] not in ("", here):
        return
    del sys.path[0]
    if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) == here and here not in sys.path:
        sys.path.append(here)


if __name__ == "__main__":
    _leave_the_current_folder()
    main()
