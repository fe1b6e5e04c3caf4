"""Strategies of a user's own, most of them with a mistake."""

import time


def lowest(view):
    """The first cell that may be free, row by row: a strategy that anyone can play by hand."""
    return min(view.covered)


def last(view):
    return max(view.covered)


def opened(view):
    """A cell that is open: the first click is."""
    return 0, 0


def beside(view):
    return 0, 99


def nothing(view):
    return None


def raising(view):
    raise KeyError("my\nfault")


def leaving(view):
    raise SystemExit(3)


def sleeping(view):
    time.sleep(600)
