"""PySAT's encoders with ours behind them: its names, arguments and types, our clauses.

The import is what changes: `pysat.card` becomes `pbcnf.pysat.card`, and so with `pysat.pb` and
`pysat.integer`; docs/from_pysat.md lists the differences. The first two have an `EncType`
each, as in PySAT. `pbcnf.pysat.EncType` is the one of `CardEnc`; given to `PBEnc`, it selects the
encoding of equal name, where PySAT selects the encoding of equal number.

>>> from pbcnf.pysat import CardEnc, EncType
>>> CardEnc.atmost([1, 2, 3], bound=1, encoding=EncType.pairwise).clauses
[[-1, -2], [-1, -3], [-2, -3]]
"""

from pbcnf.pysat.card import CardEnc, EncType, ITotalizer, NoSuchEncodingError, UnsupportedBound
from pbcnf.pysat.pb import PBEnc

__all__ = ["CardEnc", "EncType", "ITotalizer", "NoSuchEncodingError", "PBEnc", "UnsupportedBound"]
