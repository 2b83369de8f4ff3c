"""Entry point of `perft-check` and `python -m perft_check`."""

import os
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    # Python loses a Ctrl-C that comes in a callback of an import: as little as can be is imported before it is caught.
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
    """Find no module in the current folder, where `python -m` looks first.

    Where this package itself lies there, the folder comes last: processes of ours have to find it, too.
    """
    try:
        here = os.getcwd()
    except OSError:  # it is gone, and nothing lies in it
        return
    if sys.flags.safe_path or sys.path[0] not in ("", here):
        return
    del sys.path[0]
    if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) == here and here not in sys.path:
        sys.path.append(here)


if __name__ == "__main__":
    _leave_the_current_folder()
    main()
