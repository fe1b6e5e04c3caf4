"""Messages through a pipe between processes: a length of eight bytes, then so many bytes."""

import os


def send(pipe: int, message: bytes) -> None:
    """Write a whole message; BrokenPipeError if nobody reads any more."""
    rest = memoryview(len(message).to_bytes(8, "big") + message)
    while rest:
        rest = rest[os.write(pipe, rest) :]


def receive(pipe: int) -> bytes | None:
    """Read a whole message; None if the other side has ended."""
    head = _exactly(pipe, 8)
    return None if head is None else _exactly(pipe, int.from_bytes(head, "big"))


def _exactly(pipe: int, count: int) -> bytes | None:
    found = bytearray()
    while len(found) < count:
        try:
            piece = os.read(pipe, min(count - len(found), 2**20))
        except ConnectionError:
            return None
        if not piece:
            return None
        found += piece
    return bytes(found)
