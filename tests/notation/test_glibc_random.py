"""The generator that danamlund's files are encrypted with, against published and live numbers."""

import ctypes
import platform
import random
from itertools import islice

import pytest

from satsweeper.notation.danamlund import rand


def test_the_first_numbers_of_seed_1_are_the_published_ones():
    published = [1804289383, 846930886, 1681692777, 1714636915, 1957747793]
    assert list(islice(rand(1), 5)) == published


def test_a_seed_of_0_counts_as_1():
    assert list(islice(rand(0), 50)) == list(islice(rand(1), 50))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="no GNU C library to compare with")
def test_every_seed_gives_the_numbers_of_the_c_library():
    library = ctypes.CDLL(None)
    draw = random.Random(3)
    edges = [1327442006, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, -1, -(2**31)]
    for seed in edges + [draw.randrange(2**32) for _ in range(100)]:
        library.srand(ctypes.c_uint(seed % 2**32))
        assert list(islice(rand(seed), 100)) == [library.rand() for _ in range(100)], seed
