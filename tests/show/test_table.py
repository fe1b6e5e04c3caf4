"""Tables in a terminal: every word is whole, however narrow the terminal is."""

import io

from rich.console import Console

from satsweeper.report.table import Table
from satsweeper.show.table import show_table

TABLE = Table(
    "Contenders by PAR-2",
    ("contender", "tied", "solved", "PAR-2 [s]", "95 % interval", "memory [MiB]"),
    (
        ("direct/minisat22", "-", "12 of 12", "0.0007487", "0.000306 to 0.00119", "37.6"),
        ("totalizer/cadical195", "a", "11 of 12", "0.001058", "0.000284 to 0.00218", ""),
    ),
    frozenset({2, 3, 5}),
    (5,),
)


def shown(width: int, *, terminal: bool = True) -> list[str]:
    out = io.StringIO()
    show_table(Console(file=out, width=width, force_terminal=terminal, color_system=None), TABLE)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_no_word_is_broken_and_no_line_is_wider_than_the_terminal():
    heads = [head for head in TABLE.heads if head != "memory [MiB]"]
    cells = [cell for row in TABLE.rows for cell in row[:5]]
    needed = {word for text in (*heads[1:], *cells) for word in text.split()}
    for width in range(22, 120):
        lines = shown(width)
        assert max(map(len, lines)) <= width
        assert needed <= {word.rstrip(":") for line in lines for word in line.split()}


def test_a_narrow_terminal_has_a_list_for_each_row_with_every_column():
    assert shown(40) == [
        "Contenders by PAR-2",
        "",
        "direct/minisat22",
        "  tied: -",
        "  solved: 12 of 12",
        "  PAR-2 [s]: 0.0007487",
        "  95 % interval: 0.000306 to 0.00119",
        "  memory [MiB]: 37.6",
        "",
        "totalizer/cadical195",
        "  tied: a",
        "  solved: 11 of 12",
        "  PAR-2 [s]: 0.001058",
        "  95 % interval: 0.000284 to 0.00218",
        "",
    ]


def test_spare_columns_go_before_lines_are_broken():
    full = next(line for line in shown(200) if "contender" in line)
    assert "memory [MiB]" in full
    less = next(line for line in shown(len(full) - 1) if "contender" in line)
    assert "memory" not in less
    assert any("0.000306 to 0.00119" in line for line in shown(len(full) - 1))


def test_where_the_output_is_no_terminal_nothing_is_left_out():
    assert any("memory [MiB]" in line for line in shown(20, terminal=False))
