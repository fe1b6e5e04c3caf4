"""How the results of a comparison lie in its folder."""

from typing import Final

from satsweeper.compare.job.result import result_of
from satsweeper.compare.sweep.protocol import Records

RECORDS: Final = Records("satsweeper/compare/1", result_of, ("satsweeper", "pysat"))
"""These versions are those of the code that is compared."""
