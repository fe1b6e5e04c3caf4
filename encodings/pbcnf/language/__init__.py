"""The language: names, expressions with operators, integers, and the builder that collects them.

>>> from pbcnf.language import Builder, total
>>> builder = Builder()
>>> x, y = builder.boolean("x"), builder.boolean("y")
>>> builder.add(total([x, y]) >= 1)
"""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from pbcnf.language.builder import Builder as Builder
    from pbcnf.language.connectives import all_of as all_of
    from pbcnf.language.connectives import any_of as any_of
    from pbcnf.language.connectives import at_most_one as at_most_one
    from pbcnf.language.connectives import exactly_one as exactly_one
    from pbcnf.language.connectives import iff as iff
    from pbcnf.language.connectives import ite as ite
    from pbcnf.language.connectives import maximum as maximum
    from pbcnf.language.connectives import minimum as minimum
    from pbcnf.language.connectives import total as total
    from pbcnf.language.connectives import xor as xor
    from pbcnf.language.expressions import FALSE as FALSE
    from pbcnf.language.expressions import TRUE as TRUE
    from pbcnf.language.expressions import Comparison as Comparison
    from pbcnf.language.expressions import Literal as Literal
    from pbcnf.language.expressions import Operand as Operand
    from pbcnf.language.expressions import Proposition as Proposition
    from pbcnf.language.expressions import Sum as Sum
    from pbcnf.language.integers import Domain as Domain
    from pbcnf.language.integers import IntegerEncoding as IntegerEncoding
    from pbcnf.language.integers import IntegerVariable as IntegerVariable
    from pbcnf.language.names import Names as Names
    from pbcnf.language.relations import all_different as all_different
    from pbcnf.language.relations import element as element
    from pbcnf.language.relations import lexicographic as lexicographic
    from pbcnf.language.relations import table as table
    from pbcnf.language.statements_file import read_statements as read_statements
    from pbcnf.language.statements_file import write_statements as write_statements
    from pbcnf.language.transformation import Transformation as Transformation
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
