"""The verdicts of an answer in the form of the oracles."""

from satsweeper import Classification, Status


def verdicts(result: Classification) -> dict[tuple[int, int], str] | None:
    """The verdict of every covered cell; None for a board without a layout."""
    if result.status is Status.INCONSISTENT:
        return None
    assert result.status is Status.CONSISTENT
    return {cell: str(verdict) for cell, verdict in result.verdict.items()}
