"""PySAT's encoders with ours behind them: its names, arguments and types, our clauses.

The import is what changes: `pysat.card` becomes `pbcnf.pysat.card`, and `pysat.pb` becomes
`pbcnf.pysat.pb`; docs/from_pysat.md says what is the same and what is not. Each of the two modules
has an `EncType` of its own, as in PySAT. The one here is that of `CardEnc`; `PBEnc` takes the
encoding of the same name for it, where PySAT takes that of the same number.

>>> from pbcnf.pysat import CardEnc, EncType
>>> CardEnc.atmost([1, 2, 3], bound=1, encoding=EncType.pairwise).clauses
[[-1, -2], [-1, -3], [-2, -3]]
"""

from pbcnf.pysat.card import CardEnc, EncType, ITotalizer, NoSuchEncodingError, UnsupportedBound
from pbcnf.pysat.pb import PBEnc

__all__ = ["CardEnc", "EncType", "ITotalizer", "NoSuchEncodingError", "PBEnc", "UnsupportedBound"]
