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
