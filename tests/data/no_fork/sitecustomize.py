"""A system that cannot fork, for interpreters that have this folder on their path.

``os.fork`` is gone for everybody, and whatever Python starts by itself it starts anew. Signals,
modules and functions that only POSIX has are gone for our own code: the standard library needs
them on this system. The system is the same in what our code starts, which has no such path.
"""

import builtins
import multiprocessing
import os
import signal
import subprocess
import sys
from types import ModuleType
from typing import Any

OURS = {"satsweeper", "pbcnf", "__main__"}
GONE: dict[ModuleType, tuple[str, ...]] = {
    os: (
        *("killpg", "getpgid", "setsid", "wait4", "waitid", "fchmod", "sysconf", "geteuid"),
        *("O_TMPFILE", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "set_blocking", "getpgrp"),
    ),
    signal: (
        *("SIGALRM", "SIGKILL", "SIGHUP", "SIGPIPE", "SIGPROF", "SIGQUIT", "SIGUSR1", "SIGXCPU"),
        *(
            "setitimer",
            "getitimer",
            "ITIMER_REAL",
            "ITIMER_PROF",
            "pthread_sigmask",
            "pthread_kill",
        ),
    ),
}
NO_MODULES = {"fcntl", "resource", "termios", "pwd", "grp", "tty", "pty"}


def hide(module: ModuleType, names: tuple[str, ...]) -> None:
    real = {name: module.__dict__.pop(name) for name in names}

    def missing(name: str) -> Any:
        asking = str(sys._getframe(1).f_globals.get("__name__", ""))
        if name not in real or asking.partition(".")[0] in OURS:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        return real[name]

    module.__dict__["__getattr__"] = missing


def imported(name: str, *rest: Any, **named: Any) -> ModuleType:
    asking = str((rest[0] if rest else named.get("globals") or {}).get("__name__", ""))
    if name in NO_MODULES and asking.partition(".")[0] in OURS:
        raise ImportError(f"no module {name!r} here")
    return find(name, *rest, **named)


def started(child: Any, args: Any, *rest: Any, **named: Any) -> None:
    if args[0] == sys.executable and args[-2] == "-c":
        place = os.path.dirname(os.path.abspath(__file__))
        first = f"import sys; sys.path.insert(0, {place!r}); import sitecustomize; del sys.path[0]"
        args = [*args[:-1], f"{first}\n{args[-1]}"]
    start(child, args, *rest, **named)


start = subprocess.Popen.__init__
subprocess.Popen.__init__ = started  # type: ignore[method-assign,assignment]
find = builtins.__import__
builtins.__import__ = imported
multiprocessing.set_start_method("spawn")
for name in ("fork", "forkpty"):
    delattr(os, name)
for module, names in GONE.items():
    hide(module, names)
