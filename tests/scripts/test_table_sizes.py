"""The table of sizes beside other libraries: ours is what the encoders say now."""

import re

import pytest

from pbcnf import ENCODERS
from scripts import table_sizes
from scripts.bench.encode_contenders import BUYS, ROWS, SUMS

LINES = re.findall(
    r"^\| (.+?) \| `(\w+)` \| ([\d ]+) / ([\d ]+) \|(.*)\| (\d*) \|$",
    table_sizes.README.read_text("utf-8").partition(f"<!-- {table_sizes.SECTION}: ")[2],
    re.MULTILINE,
)


def number(text):
    return int(text.replace(" ", ""))


def test_every_row_is_there_and_shows_our_sizes_of_now():
    assert len(LINES) == sum(len(row.sums) for row in ROWS)
    for title, encoder, variables, clauses, *_ in LINES:
        now = table_sizes.ours(encoder, SUMS[title])
        assert now == (number(variables), number(clauses)), (title, encoder)


def test_no_row_in_which_ours_is_larger_is_without_a_sentence():
    text = table_sizes.README.read_text("utf-8")
    for title, encoder, variables, clauses, others, mark in LINES:
        own = number(variables), number(clauses)
        sizes = [tuple(map(number, cell.split("/"))) for cell in others.split("|") if "/" in cell]
        larger = any(own[0] > size[0] or own[1] > size[1] for size in sizes)
        assert bool(mark) == larger, (title, encoder)
        assert not larger or f"{mark}. `{encoder}`: {BUYS[encoder]}" in text


@pytest.mark.parametrize(
    ("encoder", "title", "clauses"),
    [
        # The least of PySAT 1.9.dev17, RustSAT 0.7.5, pindakaas 0.6.1 and pypblib 0.0.4.
        ("ladder", "1 of 100", 296),
        ("sequential_counter", "500 of 1000", 500_000),
        ("adder", "500 of 1000", 6_947),
        ("adder", "200 weights to 1000", 7_008),
        ("mixed_radix_sorter", "200 weights to 1000", 64_337),
        ("cardinality_network", "10 of 1000", 13_571),
        ("cardinality_network", "500 of 1000", 60_944),
        ("binary_merge", "40 weights to 1000", 4_215),
        ("binary_merge", "200 weights to 1000", 45_299),
    ],
)
def test_no_more_clauses_than_the_namesakes_of_other_libraries(encoder, title, clauses):
    assert encoder in ENCODERS
    assert table_sizes.ours(encoder, SUMS[title])[1] <= clauses
