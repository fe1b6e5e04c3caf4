"""Jobs that end well, badly or never, for a process that has to import them."""

import os
import sys
import time

from satsweeper.processes.forked import Last
from satsweeper.processes.worker import within


def pid(send, deadline, *arguments):
    return os.getpid(), arguments


def telling(send, deadline, *parts):
    for part in parts:
        send(part)
    time.sleep(600)


def chattering(send, deadline):
    while True:
        send("again")


def raising(send, deadline, error):
    raise error


def leaving(send, deadline, code):
    os._exit(code)


class Panic(BaseException):
    pass


def opening():
    return work


def opening_nothing():
    raise ValueError("nothing to open")


def work(asked):
    print("said", asked)
    if asked == "panic":
        raise Panic("over\ntwo lines")
    if asked == "abort":
        os.abort()
    while asked == "spin":
        pass
    if asked == "sleep":
        time.sleep(600)
    if asked == "fill":
        return len(bytes(10**10))
    return Last(os.getpid()) if asked == "last" else os.getpid()


def through_another(send, deadline):
    """What a worker of this worker says."""
    return within(None, "another", pid), os.getpid()


def telling_its_path(pipe, *arguments):
    """Send the module path, ``arguments`` and two variables of a Python that was started anew."""
    names = ("ODD", "PYTHONPATH")
    pipe.send((sys.path, arguments, {name: os.environ.get(name) for name in names}))
