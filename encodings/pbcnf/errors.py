"""What goes wrong, drawn. Every error that is raised on purpose here is an `Error`.

::

    Error
    |- EncodingError (ValueError)         no such encoder or format, one that cannot express the
    |                                     bounds or weights, or an encoding beyond a limit
    |  |- NoCounterError (AttributeError)  an encoder whose bounds cannot change
    |  |- NoSuchEncodingError              PySAT's: no such number of an encoding
    |  |- UnsupportedBound                 PySAT's: an encoding of at most one, and another bound
    |  |- UnderivableError                 a clause does not follow the way it is derived
    |  |- UnboundedError                   a symbol of SMT-LIB that can have no finite set of values
    |  `- UnreadableError                  a term of SMT-LIB that is not read here
    |- FormatError (ValueError)           text that is not of its format: source, line, column
    |- DamagedError (ValueError)          a compressed file that is cut off or not what it claims
    |- TooLargeError (ValueError)         a file that would need more memory than allowed
    |- PysmtMissingError (ImportError)    SMT-LIB needs pysmt, which is an extra
    |- ProofFormatError (ValueError)      a CNF or a proof that is not of its format, and where
    |- ProofError (ValueError)            a cutting-planes proof that proves nothing from a line on
    |- RefusedError (ValueError)          why a statement of such a proof is refused
    `- UnprovedError (ValueError)         a proof to convert that proves nothing

What a class adds to `Error` in brackets is there for callers who catch that. Arguments of a wrong
type or range are plain ``TypeError`` and ``ValueError``.
"""

from __future__ import annotations


class Error(Exception):
    """The base of all of them; ``str()`` is one line for a person."""


class EncodingError(Error, ValueError):
    """No such encoder or format, or the one chosen cannot express what is asked within limits."""
