"""Who does jobs within limits: a process that forks, or where nothing can, one started anew."""

import os
from collections.abc import Callable

from satsweeper.processes.fork_server import ForkServer
from satsweeper.processes.forked import Work
from satsweeper.processes.limits import Limits
from satsweeper.processes.spawn_server import SpawnServer

Server = ForkServer | SpawnServer
"""Does jobs one after the other, each within limits; a context manager, for one thread."""


def serving(opening: Callable[[], Work], limits: Limits) -> Server:
    """What does jobs on this system, each within the limits; ``opening`` as for ``ForkServer``."""
    return (ForkServer if hasattr(os, "fork") else SpawnServer)(opening, limits)
