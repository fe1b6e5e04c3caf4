"""Which encoders express every bound: found by asking them."""

from functools import cache

from pbcnf import ENCODERS, Cardinality, Formula, encode
from pbcnf.errors import EncodingError


@cache
def whole_encoders() -> tuple[str, ...]:
    """The encoders that express every bound; others refuse what they cannot."""

    def expresses(name: str) -> bool:
        try:
            formula = Formula()
            inputs = [formula.new_var() for _ in range(5)]
            encode(Cardinality(inputs, lower=2, upper=3), formula, encoder=name)
        except EncodingError:
            return False
        return True

    return tuple(name for name in ENCODERS if expresses(name))
