"""PySAT's numbers of encodings, and the encoders behind them."""

from __future__ import annotations

from pbcnf.errors import EncodingError

NATIVE = "native"
"""No encoder: a bound that the solver keeps by itself."""


class NoSuchEncodingError(EncodingError):
    """The encoding has no such number or name."""


class Number(int):
    """A number of an `EncType`, which also knows its name there and our encoder.

    `CardEnc` and `PBEnc` number alike names differently: 6 is a totalizer for one, native for the
    other. One's number given to the other means the encoding of its name.
    """

    name: str
    encoder: str | None

    def __new__(cls, value: int, encoder: str | None, name: str = "") -> Number:
        """Return a number for an encoder; None chooses one."""
        number = super().__new__(cls, value)
        number.encoder, number.name = encoder, name
        return number

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name in the class."""
        self.name = name

    def __getnewargs__(self) -> tuple[int, str | None, str]:  # type: ignore[override]
        """Return the constructor arguments for a copy."""
        return int(self), self.encoder, self.name


def encoder_of(encoding: int | str, own: type) -> str | None:
    """Return the name of our encoder, `NATIVE`, or None to choose; `own` is an `EncType`.

    Raises NoSuchEncodingError.
    """
    from pbcnf.encoders.table import ENCODERS

    if isinstance(encoding, str) and encoding in ENCODERS:
        return encoding
    if isinstance(encoding, Number):
        same: Number = getattr(own, encoding.name, encoding)
        return same.encoder
    for number in vars(own).values():
        if isinstance(number, Number) and number == encoding:
            return number.encoder
    raise NoSuchEncodingError(f"there is no encoding {encoding!r}")
