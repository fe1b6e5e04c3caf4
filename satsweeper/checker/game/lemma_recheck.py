"""Second check of lemmas and cores: unit propagation over all clauses, without the hints."""

from collections.abc import Iterable

from pbcnf.proof.format_error import ProofFormatError
from pbcnf.proof.propagation import ClausePropagator


class LemmaRecheck:
    """Propagates over all clauses of a proof so far; deleted clauses stay, as they still follow."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._known = ClausePropagator()

    def add(self, clause: Iterable[int]) -> None:
        """Add ``clause``, an input that needs no proof."""
        if self._known.conflict is None:
            self._known.add(clause)

    def follow(self, clause: Iterable[int], line: int) -> None:
        """Require that propagation derives ``clause``, and add it.

        Raises:
            ProofFormatError: propagation with all literals of ``clause`` false finds no conflict.
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
