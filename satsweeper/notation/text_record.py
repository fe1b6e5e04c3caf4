"""The text format for whoever converts boards: as ``text.py`` reads and writes it."""

from satsweeper.notation.reading import Reading
from satsweeper.notation.record import Record
from satsweeper.notation.text import padded_text, read_text


def read(data: bytes | str, source: str) -> Record:
    """Read a board in the text format."""
    reading: Reading = read_text(data, source)
    return Record(reading.padded, reading.columns, reading.mines)


def write(record: Record) -> bytes:
    """The header and the rows."""
    return padded_text(record.padded, record.columns, record.mines).encode("ascii")
