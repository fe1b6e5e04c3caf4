"""What goes wrong, drawn. Every error that is raised on purpose here is an ``Error``.

::

    Error
    |- BoardError (ValueError)             text that is no board: source, line, column, message
    |- CellError (ValueError)              a cell that is not there, or not of the kind needed
    |- CannotHoldError (ValueError)        a format has no place for a part of a board
    |- MapMismatchError (ValueError)       a name map, and a board or a model that it is not of
    |- GameOverError (ValueError)          a move in a game that is won or lost
    |- NoLayoutError (ValueError)          odds of a board that contradicts itself
    |- SolverError (ValueError)            no such solver, or one that cannot do what is asked
    |- EngineRefusedError (ValueError)     an engine declines: it would take too long
    |- FolderTakenError (ValueError)       a folder holds something else than what goes there
    |- JournalError                        a folder of results that is damaged or another sweep's
    |- WrongCertificateError               a certificate that does not hold, and where
    |- OtherProofError                     the proof to go on with is not one of this game
    |- KeysError (ValueError)              a file of keys of the game that cannot be used
    |- NoTerminalError                     nothing to play on
    |- LimitError
    |  |- OddsLimitError (RuntimeError)    counting would take too long, or did
    |  |- TooWideError                     a position in play is too wide to be counted
    |  |- TooLargeError                    an instance is larger than an entry should be
    |  `- BoardTooLargeError               a board has more cells than the page draws
    |- MissingError                        an extra is not installed; the message names it
    |  |- EngineMissingError (ImportError)
    |  |- PeerMissingError
    |  |- PicturesMissingError
    |  |- PlottingMissingError
    |  `- TextualMissingError
    |- FailedError                         something else was to answer, and did not, or wrongly
    |  |- SolverFailedError (ChildProcessError)
    |  |- WorkerDiedError (RuntimeError)
    |  |- ProbeError
    |  `- BackendError
    |- EncoderFaultError                   an encoder of a user's own does what no encoder may
    |- BudgetError                         no board was found within the budget
    |- StrategyFaultError                  a strategy does what no strategy may
    |- ContradictionError                  equations clash; caught where they are closed
    |- DefectError (RuntimeError)          a claim was checked and is false: not the caller's fault
    |  |- WrongModelError
    |  |- UnwitnessedError
    |  `- UnsafeCellError
    |- UsageError                          a command that was called wrongly: exit code 2
    `- InputError                          what a command was given cannot be used: exit code 1

What a class adds to ``Error`` in brackets is there for callers who catch that. ``pbcnf`` has a
family of its own, with ``pbcnf.Error`` as its base.
"""


class Error(Exception):
    """The base of all of them; ``str()`` is one line for a person."""


class CellError(Error, ValueError):
    """A cell that is not on the board, or not of the kind that is needed."""


class LimitError(Error):
    """A limit of time or memory was reached, or would be."""


class MissingError(Error):
    """A package that is an extra is not installed; the message says how to get it."""


class FailedError(Error):
    """Somebody else's program or a process of ours gave no answer, or one that is wrong."""


class DefectError(Error, RuntimeError):
    """A check failed that never should: a defect of a solver, an encoding, or this package."""
