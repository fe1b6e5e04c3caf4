"""SatSweeper: Minesweeper as satisfiability, on encodings that can be trusted.

>>> from satsweeper import Position, classify
>>> print("\\n".join(classify(Position.parse("1??\\n12?\\n01?")).grid()))
1MS
12?
01?
"""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports
from satsweeper.version import __version__ as __version__

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification as Classification
    from satsweeper.answers.classification import Conflict as Conflict
    from satsweeper.answers.classification import Explanation as Explanation
    from satsweeper.answers.classification import Status as Status
    from satsweeper.answers.classification import Verdict as Verdict
    from satsweeper.board.errors import Error as Error
    from satsweeper.certificate.certify import Certificate as Certificate
    from satsweeper.certificate.certify import certify as certify
    from satsweeper.checker.check import check as check
    from satsweeper.count.odds import Odds as Odds
    from satsweeper.engines.classify import classify as classify
    from satsweeper.engines.session import Session as Session
    from satsweeper.engines.session import explain as explain
    from satsweeper.notation.error import BoardError as BoardError
    from satsweeper.position import Position as Position
    from satsweeper.puzzle.odds.odds import odds as odds
    from satsweeper.puzzle.puzzle import Puzzle as Puzzle
    from satsweeper.show import as_html as as_html
    from satsweeper.show import as_svg as as_svg
    from satsweeper.show import as_text as as_text
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
