"""Encoders that are right, wrong, or no good at all, for a process that has to import them."""

import os
import time
from itertools import combinations

from pbcnf.encoders.cardinality.direct import Direct
from pbcnf.encoders.cardinality.totalizer import Totalizer


class DroppingSink:
    """Loses one clause."""

    def __init__(self, sink, lost):
        self.sink = sink
        self.left = lost

    @property
    def num_vars(self):
        return self.sink.num_vars

    def new_var(self):
        return self.sink.new_var()

    def new_vars(self, count):
        return self.sink.new_vars(count)

    def add_clause(self, clause):
        self.left -= 1
        if self.left != -1:
            self.sink.add_clause(clause)

    def add_block(self, block):
        for clause in block.tolist():
            self.add_clause(clause)


class Dropping(Direct):
    """The first clause of every constraint is missing: too many models."""

    def encode(self, lits, lower, upper, sink):
        super().encode(lits, lower, upper, DroppingSink(sink, 0))


class DroppingTotalizer(Totalizer):
    """The last clause of every constraint is missing."""

    def encode(self, lits, lower, upper, sink):
        size = self.size(len(lits), lower, upper)
        super().encode(lits, lower, upper, DroppingSink(sink, size.clauses - 1))


class Strict(Direct):
    """One clause more than there should be: too few models."""

    def encode(self, lits, lower, upper, sink):
        super().encode(lits, lower, upper, sink)
        sink.add_clause([-lits[0]])


class Endless(Direct):
    def encode(self, lits, lower, upper, sink):
        while True:
            pass


class Asleep(Direct):
    def encode(self, lits, lower, upper, sink):
        path = os.environ.get("ODD_ENCODERS_PID")
        if path:
            with open(path, "w") as file:
                file.write(f"{os.getppid()} {os.getpid()}")
        time.sleep(600)


class Hog(Direct):
    def encode(self, lits, lower, upper, sink):
        held = []
        while True:
            held.append(bytearray(10**7))


class Aborting(Direct):
    def encode(self, lits, lower, upper, sink):
        os.abort()


class Leaving(Direct):
    def encode(self, lits, lower, upper, sink):
        os._exit(3)


class Raising(Direct):
    def encode(self, lits, lower, upper, sink):
        raise RuntimeError("over\ntwo lines")


def binomial(n, lower, upper):
    """A function: variables and clauses; it has no ranges."""
    if lower > 0 and upper < n:
        raise ValueError("no ranges")
    at_most = [[-v for v in some] for some in combinations(range(1, n + 1), upper + 1)]
    at_least = [list(some) for some in combinations(range(1, n + 1), n - lower + 1)]
    return n, at_most if upper < n else at_least


direct = Direct()
nothing = 7
