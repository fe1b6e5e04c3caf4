"""SMT-LIB 2, read and written through pysmt (extra ``smt``), which is imported late."""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from pbcnf.formats.smtlib.formulas import from_pysmt as from_pysmt
    from pbcnf.formats.smtlib.formulas import to_pysmt as to_pysmt
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
