"""The one way to start a new Python, in which the library and our packages come first on the path.

The current folder may hold a stranger's files, and a file there named as a module is what ``-c``,
``-m``, ``multiprocessing`` and joblib's processes would import; so may a folder of ``PYTHONPATH``.
Every part of these packages that needs another Python starts it here.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Final

_PACKAGES: Final = ("satsweeper", "pbcnf")
_VARIABLE: Final = "PYTHONPATH"
_FLAGS: Final = {
    "dont_write_bytecode": "B",
    "ignore_environment": "E",
    "no_user_site": "s",
    "optimize": "O",
}
"""Fields of ``sys.flags`` -> the options that pass their values on to the new process."""
_CODE: Final = """\
import sys
sys.path += {ours}
import site
site.main()
import os
os.environ.update({restored})
sys.path += [place for place in {others} if place not in sys.path]
from multiprocessing.connection import {end}
from {module} import {name}
{name}({end}({number}), *{arguments})
"""
"""The program of the new process. Without ``site`` the path begins as the standard library alone.
The folders of `_PACKAGES` follow, then the installed packages that ``site`` adds, last the rest of
the caller's path. Modules are searched for in this order, and no module from the caller's path is
imported before the order is complete. Values are written by ``repr``, so that no name of a folder
is taken for code."""


def start(
    serve: Callable[..., object],
    *arguments: object,
    environment: Mapping[str, str] | None = None,
    **options: Any,
) -> tuple["subprocess.Popen[bytes]", Connection]:
    """Call ``serve(pipe, *arguments)`` in a new Python; return its process and our end of the pipe.

    The process ends when ``serve`` returns. Unlike a process of ``multiprocessing``, the new
    process does not import the main module of this process. Ctrl-C is blocked in the new process,
    which cannot answer while Python starts; this process answers and ends the new one.

    Args:
        serve: a function at the top of a module.
        arguments: values that ``repr`` writes as Python reads them: numbers, texts and the like.
        environment: variables for the new process, added to the environment of this process.
        options: for ``subprocess.Popen``.
    """
    # `ours` are the folders from which this process imports `_PACKAGES`.
    specs = [find_spec(package) for package in _PACKAGES]
    places = [os.path.dirname(os.path.dirname(s.origin)) for s in specs if s and s.origin]
    ours = list(dict.fromkeys(map(os.path.abspath, places)))
    here, there = Pipe()
    inherited = os.environ | (environment or {})
    # PYTHONPATH is unset while the new process builds its path, and restored after that for the
    # programs that the new process starts.
    restored = {name: inherited.pop(name) for name in (_VARIABLE,) if name in inherited}
    code = _CODE.format(
        ours=ours,
        others=[os.path.abspath(place) for place in sys.path],
        restored=restored,
        end=type(there).__name__,
        module=serve.__module__,
        name=serve.__name__,
        number=there.fileno(),
        arguments=arguments,
    )
    flags = "".join(letter * getattr(sys.flags, name) for name, letter in _FLAGS.items())
    # This process closes its copy of the far end: with the copy open, a read from `here` would not
    # return when the new process ends.
    with there:
        # The new process inherits which signals are blocked.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process = subprocess.Popen(
                # P: without the current folder on the path; S: without ``site``, which the code
                # calls.
                [sys.executable, f"-PS{flags}", "-c", code],
                stdin=subprocess.DEVNULL,
                env=inherited,
                pass_fds=(there.fileno(),),
                **options,
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process, here
