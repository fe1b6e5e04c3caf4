"""A whole sweep: planned, run in processes that may be killed, written down, resumed."""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from satsweeper.compare.sweep.run import sweep as sweep
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
