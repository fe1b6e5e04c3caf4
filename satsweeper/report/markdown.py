"""Tables in Markdown."""

from collections.abc import Collection, Sequence


def markdown_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()
) -> str:
    """Return a table without a line break at its end; columns `numbers` are aligned to the right.

    >>> print(markdown_table(["name", "size"], [["a", "1"]], numbers={1}))
    | name | size |
    | --- | ---: |
    | a | 1 |
    """
    head = f"| {' | '.join(heads)} |".replace("|  |", "| |")
    rule = ["---:" if at in numbers else "---" for at in range(len(heads))]
    return "\n".join([head, *(f"| {' | '.join(cells)} |" for cells in (rule, *rows))])


def padded_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose heads are the first of `rows`, cells padded to the width of columns.

    >>> print(padded_table([["name", "n"], ["a", "10"]]))
    | name | n  |
    | ---- | -- |
    | a    | 10 |
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *rest = [[cell.ljust(n) for cell, n in zip(row, widths, strict=True)] for row in rows]
    lines = [head, ["-" * n for n in widths], *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
