"""The entry point: from its first line on, Ctrl-C is answered."""

from satsweeper.cli.interrupts import ignore_interrupts, leave_at_interrupts


def main() -> int:
    """Run a command as ``satsweeper.cli.main.main`` does, in a process of its own."""
    leave_at_interrupts()
    from satsweeper.cli.main import main

    try:
        return main()
    finally:
        ignore_interrupts()
