"""How ``check`` reports a certificate that is refused, or a file that cannot be read."""

from typing import TYPE_CHECKING

from satsweeper.cli.exit_codes import FAILED, InputError
from satsweeper.cli.files import print_json
from satsweeper.cli.options import source_name

if TYPE_CHECKING:
    from satsweeper.checker.wrong import WrongCertificateError


def refused(
    error: "WrongCertificateError | OSError", schema: str, where: str, *, as_json: bool
) -> int:
    """Print one JSON object and return the exit code, or raise InputError for one line of text.

    Args:
        error: what is wrong.
        schema: of the JSON object.
        where: the beginning of the line, unless ``error`` names the file that cannot be read.
        as_json: whether to print JSON.
    """
    if isinstance(error, OSError):
        file, fault = source_name(str(error.filename or where)), error.strerror or str(error)
        line = f"{file}: {fault}"
    else:
        file, fault = error.file, error.fault
        line = f"{where}: {fault}"
    if as_json:
        print_json({"schema": schema, "verified": False, "file": file, "fault": fault})
        return FAILED
    raise InputError(line) from None
