"""Stamping: one template applied to a whole array of inputs at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.dispatch import emission
from pbcnf.emission.encode import encode
from pbcnf.emission.template import Template, template
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.literals import Block, literal_array
from pbcnf.sink import ClauseSink, require_allocated

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    try:
        import numpy as np
    except ImportError:
        # In a browser, say; then rows are encoded one by one.
        np = None


def encode_many(
    inputs: npt.ArrayLike,
    lower: int,
    upper: int,
    sink: ClauseSink,
    encoder: str | Encoder | None = None,
) -> None:
    """Encode ``lower <= sum of row <= upper`` for every row of `inputs`, an int array (m, n).

    `encoder` is as for `encode`: chosen by size unless it is given.

    The same clauses as m calls of `encode`, in another order and with other auxiliaries: all rows
    of distinct variables go to the sink as one block per clause width; then the rows with
    repeated or opposite literals, one by one.

    Raises TypeError or ValueError for a value that is no literal, an array that is not
    two-dimensional, an unknown encoder, or a bound it cannot express.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=4)
    >>> encode_many([[1, 2], [3, -4]], 1, 1, f)
    >>> list(f.clauses())
    [[-1, -2], [1, 2], [-3, 4], [3, -4]]
    """
    if np is None:
        for row in inputs:
            encode(Cardinality(row, lower, upper), sink, encoder)
        return
    rows = literal_array(inputs, dimensions=2)
    if rows.size:
        require_allocated([int(np.min(rows)), int(np.max(rows))], sink)
    stamp = template(_encoder(rows.shape[1], lower, upper, encoder), rows.shape[1], lower, upper)
    repeating = _repeats_a_variable(rows)
    _stamp(stamp, rows[~repeating] if repeating.any() else rows, sink)
    for row in rows[repeating].tolist():
        encode(Cardinality(row, lower, upper), sink, encoder)


def _encoder(n: int, lower: int, upper: int, encoder: str | Encoder | None) -> str | Encoder:
    if encoder is not None:
        return encoder
    # Any encoder has the clauses of what needs none.
    by_size = emission(Cardinality(range(1, n + 1), lower, upper), None).encoder
    return "direct" if by_size is None else find_encoder(by_size)


def _repeats_a_variable(rows: Block) -> npt.NDArray[np.bool_]:
    ordered = np.sort(np.abs(rows), axis=1)
    repeats: npt.NDArray[np.bool_] = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    return repeats


def _stamp(stamp: Template, rows: Block, sink: ClauseSink) -> None:
    from pbcnf.encoders.circuits.blocks import picked

    count, variables = len(rows), stamp.inputs + stamp.auxiliaries
    first = sink.new_vars(count * stamp.auxiliaries)
    # Column v holds what the template's variable v stands for, column -v its negation.
    lookup = np.zeros((count, 2 * variables + 1), dtype=np.int32)
    lookup[:, 1 : stamp.inputs + 1] = rows
    lookup[:, stamp.inputs + 1 : variables + 1] = np.arange(
        first, first + count * stamp.auxiliaries
    ).reshape(count, stamp.auxiliaries)
    lookup[:, variables + 1 :] = -lookup[:, variables:0:-1]
    for clauses in stamp.blocks:
        sink.add_block(picked(lookup, clauses))
