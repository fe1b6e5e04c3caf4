"""The entry point: Ctrl-C is answered from the first line on, and stdout holds answers alone."""

from satsweeper.cli.lifetime import ignore_interrupts, leave_at_interrupts
from satsweeper.processes.standard_output import reserve_stdout


def main() -> int:
    """Run a command as ``satsweeper.cli.main.main`` does, in a process of its own."""
    leave_at_interrupts()
    reserve_stdout()
    from satsweeper.cli.main import main

    try:
        return main()
    finally:
        ignore_interrupts()
