"""Rows on one place of a sum in a mixed radix: what is left of its count, the carries gone.

With radix r, tare t and outputs o_c, "the count is at least c", the carries are o_(r-t), o_(2r-t),
... The outputs between two carries say the digit. As all of them fall, the count and the tare are
at least and, without a tare, at most r times the carries and what the digit says; a digit "at
least d" is defined by ``o_d + o_(r+d) + ... > o_r + o_(2r) + ...``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.networks.falling import Falling
from pbcnf.encoders.circuits.radix_place import Place
from pbcnf.literals import Lit, Var


class PlaceRows:
    """A place, and its count: a literal for every number up to the last that is asked for."""

    def __init__(self, place: Place, total: Falling, state: DerivationState) -> None:
        self.place = place
        self.total = total
        self._state = state
        self._end = len(total.lits)
        self.digits: dict[int, Var] = {}
        """The variables of digits, where they are no outputs."""
        self._lower: dict[int, int | None] = {}
        self._upper: dict[int, int | None] = {}

    @property
    def outputs(self) -> dict[int, Lit]:
        """The literals of the counts that are asked for."""
        return {count: self.total.lits[count - 1] for count in self.place.counts}

    def at_least(self, digit: int = 0) -> int | None:
        """Return ``count + tare >= radix * carries``, and so much more if the digit says so."""
        if digit not in self._lower:
            self._lower[digit] = self._row(self._at_least(digit), self._tare)
        return self._lower[digit]

    def below(self, digit: int | None = None) -> int | None:
        """Return ``count < radix * (carries + 1)``, or less, by what the digit denies."""
        least = self.place.radix if digit is None else digit
        if least not in self._upper:
            self._upper[least] = self._row(self._below(least), [])
        return self._upper[least]

    def _row(self, parts: Parts, axioms: list[tuple[Lit, int]]) -> int | None:
        return self._state.add(parts, axioms) if parts or axioms else None

    @property
    def _tare(self) -> list[tuple[Lit, int]]:
        tare, carries = self.place.tare, self.place.carries
        return [(-self.total.lits[0], tare)] if tare and carries else []

    def _at_least(self, digit: int) -> Parts:
        place = self.place
        parts = [*self.total.at_least]
        first = place.carries[0] if place.carries else place.radix
        for end in range(first, self._end + place.radix, place.radix):
            start = end - place.radix
            parts += self._rising(start, min(start + digit, self._end))
            if end in place.carries:
                parts += self._rising(start + digit, end)
        if digit in self.digits:
            parts.append((self._state.if_false[-self.digits[digit]], digit))
        return parts

    def _below(self, least: int) -> Parts:
        place = self.place
        parts = [*self.total.at_most]
        for start in range(0, place.length + 1, place.radix):
            end = min(start + place.radix - 1, place.length)
            middle = min(start + least - 1, end)
            parts += self._falling(start, middle)
            parts += self._falling(middle + 1, end)
        number = self._state.if_false.get(self.digits.get(least, 0))
        if number is not None:
            parts.append((number, place.radix - least))
        return parts

    def _rising(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield that all counts behind the start are reached if the last one is."""
        for count in range(max(start + 1, 1), end):
            row = self.total.falls(count - 1, count)
            if row is not None:
                yield row, count - start

    def _falling(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield that no count up to the end is reached if the first one is not."""
        for count in range(max(start, 1), min(end, self._end)):
            row = self.total.falls(count - 1, count)
            if row is not None:
                yield row, end - count
