"""Lemmas and cores once more: by unit propagation over all clauses, without a look at the hints."""

from collections.abc import Iterable

from pbcnf.proof.format_error import ProofFormatError
from pbcnf.proof.propagation import ClausePropagator


class Again:
    """The clauses of a proof so far. Those that it deletes stay: they follow all the same."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._known = ClausePropagator()

    def add(self, clause: Iterable[int]) -> None:
        """Take a clause that is given."""
        if self._known.conflict is None:
            self._known.add(clause)

    def follow(self, clause: Iterable[int], line: int) -> None:
        """Refuse a clause that propagation does not find; it may be used from here on.

        Raises:
            ProofFormatError: it does not follow so.
        """
        known, literals = self._known, tuple(clause)
        if known.conflict is not None:
            return
        conflict = known.refute(literals)
        known.undo()
        if conflict is None:
            message = "without its hints, propagation does not find it"
            raise ProofFormatError(self._source, message, line)
        known.add(literals)
