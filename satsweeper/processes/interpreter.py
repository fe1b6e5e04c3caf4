"""Python started anew: it finds its own library and our packages before anything of the caller's.

The current folder may hold a stranger's files, and a file there named as a module is what ``-c``,
``-m``, ``multiprocessing`` and joblib's processes would import; so it is with ``PYTHONPATH``.
Whatever of ours needs Python again starts it here.
"""

import os
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
"""What this Python was told that holds for the new one as well."""
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
"""What the new process runs. Without ``site`` its path holds the library alone, which our packages
follow; what is installed comes after both, the rest of the caller's path last."""


def start(
    serve: Callable[..., object],
    *arguments: object,
    environment: Mapping[str, str] | None = None,
    **options: Any,
) -> tuple["subprocess.Popen[bytes]", Connection]:
    """Call ``serve(pipe, *arguments)`` in a new Python: its process, and the other end of the pipe.

    The process ends with that call. Nothing of this process's main module is imported there.

    Args:
        serve: a function of a module.
        arguments: numbers, texts and the like: what ``repr`` writes as it is read.
        environment: variables for the process, besides those of this one.
        options: for ``subprocess.Popen``.
    """
    here, there = Pipe()
    inherited = os.environ | (environment or {})
    # For programs that the process starts: its own path has been settled without.
    restored = {name: inherited.pop(name) for name in (_VARIABLE,) if name in inherited}
    code = _CODE.format(
        ours=_folders(),
        others=[os.path.abspath(place) for place in sys.path],
        restored=restored,
        end=type(there).__name__,
        module=serve.__module__,
        name=serve.__name__,
        number=there.fileno(),
        arguments=arguments,
    )
    told = "".join(letter * getattr(sys.flags, name) for name, letter in _FLAGS.items())
    process = subprocess.Popen(
        # P: the current folder is not put on the path; S: nor is what is installed, until the code.
        [sys.executable, f"-PS{told}", "-c", code],
        stdin=subprocess.DEVNULL,
        env=inherited,
        **_handing_over(there),
        **options,
    )
    there.close()
    return process, here


def _folders() -> list[str]:
    """Where this process has our packages from."""
    found = [find_spec(package) for package in _PACKAGES]
    places = [
        os.path.dirname(os.path.dirname(spec.origin)) for spec in found if spec and spec.origin
    ]
    return list(dict.fromkeys(map(os.path.abspath, places)))


def _handing_over(end: Connection) -> dict[str, Any]:
    """The arguments of ``Popen`` that let the process have this end of a pipe."""
    if sys.platform != "win32":
        return {"pass_fds": (end.fileno(),)}
    os.set_handle_inheritable(end.fileno(), True)
    handles = {"handle_list": [end.fileno()]}
    return {"startupinfo": subprocess.STARTUPINFO(lpAttributeList=handles)}
