"""The page for browsers: boards classified and explained, and games, with the mouse or by touch.

It runs this package in the browser and asks no other host for anything. scripts/page builds it in a
checkout (it needs npm); --serve serves it to the browsers of this machine until Ctrl-C or
--timeout, and prints its address. Without --serve it is said where the page is.
"""

import argparse
from pathlib import Path
from typing import Final

from satsweeper.cli.arguments import source_name, take_over_time_left
from satsweeper.cli.exit_codes import DONE, InputError
from satsweeper.cli.options import natural, option, timeout
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.standard_output import flush_stdout, print_answer

EXAMPLE: Final = """\
examples:
  satsweeper page --serve
  satsweeper page --serve --port 8000 dist/page
"""

_MOMENT: Final = 0.5
"""Seconds between two looks at the deadline while no request comes."""
_LAST_PORT: Final = 65535


OPTIONS: Final = (
    option("folder DIR", "what scripts/page built (dist/page)", nargs="?"),
    option("--serve", "serve it on the loopback"),
    option("--port N", "the port (a free one)", type=natural(), default=0),
    timeout("stop serving then (exit code 0)"),
)


def run(arguments: argparse.Namespace) -> int:
    """Serve the page, or print where it is; return the exit code."""
    from satsweeper.show.page.serve import BUILT, address, serving

    given = arguments.folder
    checkout = Path(__file__).parents[2] / "dist" / "page"
    folders = [Path("dist", "page"), checkout] if given is None else [Path(given)]
    folder = next((folder for folder in folders if (folder / BUILT).is_file()), None)
    if folder is None:
        name = source_name(str(folders[0]))
        raise InputError(f"{name}: no page was built there; in a checkout scripts/page builds it")
    if not arguments.serve:
        print_answer(folder)
        return DONE

    if arguments.port > _LAST_PORT:
        raise InputError(f"port {arguments.port}: ports are 0 to {_LAST_PORT}")
    try:
        with serving(folder, arguments.port) as server:
            print_answer(address(server))
            flush_stdout()
            server.timeout = _MOMENT
            deadline = Deadline.after(take_over_time_left(arguments))
            while not deadline.passed():
                server.handle_request()
    except PermissionError:
        raise InputError(f"port {arguments.port}: not permitted") from None
    except OSError as error:
        raise InputError(f"port {arguments.port}: {error.strerror or error}") from None
    return DONE
