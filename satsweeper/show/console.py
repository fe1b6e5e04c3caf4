"""What answers are printed on: with colours where they are wanted, folded on a screen alone."""

import os
from typing import Literal

from rich.console import Console

from satsweeper.processes.standard_output import answer_stream, stdout_is_terminal

Color = Literal["auto", "always", "never"]


def console_for(color: Color = "auto") -> Console:
    """Standard output, with colours always, never, or on a terminal.

    ``auto`` minds ``NO_COLOR`` and ``FORCE_COLOR``. Colours that are forced do not make a terminal
    of a file: nothing is cut off there.
    """
    if os.environ.get("COLUMNS") == "0":
        # So some terminals say that they know no width; rich would print nothing in it.
        del os.environ["COLUMNS"]
    file = answer_stream()
    if color == "never":
        return Console(file=file, color_system=None)
    screen = stdout_is_terminal()
    if color == "always":
        return Console(file=file, color_system="256", no_color=False, force_terminal=screen)
    if os.environ.get("FORCE_COLOR") and not screen:
        return Console(file=file, color_system="256", force_terminal=False)
    return Console(file=file)
