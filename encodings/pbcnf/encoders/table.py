"""The tables of encoders: one of sums, one of parities. An encoder is imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final, TypeVar

from pbcnf.encoders.protocol import Encoder, ParityEncoder
from pbcnf.errors import EncodingError
from pbcnf.wording import unknown_name

_E = TypeVar("_E")


class _Table(Mapping[str, _E]):
    """Name -> encoder; the encoder is made when it is first looked up."""

    def __init__(self, makers: Mapping[str, Callable[[], _E]]) -> None:
        """Take a function for each name that makes the encoder."""
        self._makers = makers
        self._made: dict[str, _E] = {}

    def __getitem__(self, name: str) -> _E:
        """Return the encoder called `name`. Raises KeyError for an unknown name."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        """Whether there is an encoder called `name`; no encoder is made."""
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names; no encoder is made."""
        return iter(self._makers)

    def __len__(self) -> int:
        """Return the number of encoders."""
        return len(self._makers)

    def __repr__(self) -> str:
        """Show the encoders, all of them made."""
        return f"{dict(self)}"


def _make(module: str, kind: str, *options: int) -> Any:
    return getattr(import_module(f"pbcnf.encoders.{module}"), kind)(*options)


_FOLDERS: Final = (
    ("cardinality", "direct"),
    (
        "at_most_one",
        "pairwise sequential ladder bitwise product multipartite commander bimander nested",
    ),
    (
        "cardinality",
        "sequential_counter knuth_counter totalizer modulo_totalizer k_modulo_totalizer"
        " cardinality_network sorting_network pairwise_network multiway_network parallel_counter"
        " grid_compression",
    ),
    (
        "pseudo_boolean",
        "decision_diagram sequential_weight_counter generalized_totalizer"
        " global_polynomial_watchdog local_polynomial_watchdog binary_merge binary_merge_gac"
        " mixed_radix_sorter adder",
    ),
)
"""The encoders of each folder, by the names of their modules; classes have these in CamelCase."""

ENCODERS: Mapping[str, Encoder] = _Table(
    {
        name: partial(_make, f"{folder}.{name}", name.title().replace("_", ""))
        for folder, names in _FOLDERS
        for name in names.split()
    }
)
"""Name -> encoder, of at most one, of any cardinality, and of weighted sums."""

PARITY_ENCODERS: Mapping[str, ParityEncoder] = _Table(
    {"direct": partial(_make, "parity", "DirectParity")}
    | {f"cut_{width}": partial(_make, "parity", "CutParity", width) for width in range(3, 9)}
)
"""Name -> encoder of parities; `CutParity` takes other widths than those that have a name."""


def find_encoder(encoder: str | Encoder | ParityEncoder) -> Encoder:
    """Return the encoder of sums of that name; an encoder is returned as it is.

    Raises ValueError for an unknown name, with the known ones and the nearest of them, and for an
    encoder of parities.
    """
    if not isinstance(encoder, str):
        # An isinstance check with the protocol would take longer than the rest of this function.
        if hasattr(encoder, "encode_parity"):
            raise EncodingError(f"{encoder.name} encodes parities, not sums")
        return encoder
    if encoder in ENCODERS:
        return ENCODERS[encoder]
    if encoder in PARITY_ENCODERS:
        raise EncodingError(f"{encoder} encodes parities, not sums")
    raise EncodingError(unknown_name("encoder", encoder, ENCODERS))


def find_parity_encoder(encoder: str | ParityEncoder | Encoder) -> ParityEncoder:
    """Return the encoder of parities of that name; an encoder is returned as it is.

    Raises ValueError for an unknown name, with the known ones and the nearest of them, and for an
    encoder of sums.

    >>> find_parity_encoder("cut_5")
    CutParity(width=5)
    """
    if isinstance(encoder, ParityEncoder):
        return encoder
    name = encoder if isinstance(encoder, str) else encoder.name
    if isinstance(encoder, str) and name in PARITY_ENCODERS:
        return PARITY_ENCODERS[name]
    if name in ENCODERS:
        raise EncodingError(
            f"{name} encodes sums, not parities; what does: {', '.join(PARITY_ENCODERS)}"
        )
    raise EncodingError(unknown_name("encoder of parities", name, PARITY_ENCODERS))


def expresses(encoder: str | Encoder, n: int, lower: int, upper: int) -> bool:
    """Whether the encoder has clauses for these bounds of n inputs.

    >>> expresses("pairwise", 5, 0, 1), expresses("pairwise", 5, 0, 2)
    (True, False)
    """
    chosen = find_encoder(encoder)
    try:
        chosen.size(n, lower, upper)
    except ValueError:
        return False
    return True
