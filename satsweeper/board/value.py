"""Values with named fields, for the classes that every start of a command loads.

``dataclasses`` does the same, but takes a fifth of the time in which ``satsweeper classify`` starts
and answers: it imports ``inspect``, and compiles methods for each class.
"""

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """A value whose fields are the annotated names of its class.

    Values of the same class with equal fields are equal, unless the class is declared with
    ``eq=False``: then each value is equal to itself alone. They are immutable, unless the class is
    declared with ``frozen=False``. Fields named by ``apart`` are left out of ``==`` and ``repr``.
    """

    _fields: ClassVar[dict[str, Any]] = {}
    """The default of each field, ``...`` for a field without one."""
    _apart: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(
        cls, *, frozen: bool = True, eq: bool = True, apart: tuple[str, ...] = (), **rest: Any
    ) -> None:
        super().__init_subclass__(**rest)
        own = {name: cls.__dict__.get(name, ...) for name in cls.__annotations__}
        cls._fields, cls._apart = cls._fields | own, cls._apart | {*apart}
        if not frozen:
            cls.__setattr__ = object.__setattr__  # type: ignore[method-assign, assignment]
            cls.__delattr__ = object.__delattr__  # type: ignore[method-assign]
            cls.__hash__ = None  # type: ignore[assignment]
        if not eq:
            cls.__eq__ = object.__eq__  # type: ignore[method-assign]
            cls.__hash__ = object.__hash__  # type: ignore[method-assign]

    def __init__(self, *given: Any, **named: Any) -> None:
        fields = self._fields
        own = dict(zip(fields, given, strict=False)) | named
        found = fields | own
        twice_or_too_many = len(own) < len(given) + len(named)
        if twice_or_too_many or len(found) > len(fields) or ... in found.values():
            raise TypeError(f"the fields of {type(self).__name__} are {', '.join(fields)}")
        self.__dict__.update(found)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name!r} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._compared())

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self._compared()))

    def __repr__(self) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in self._compared())
        return f"{type(self).__name__}({', '.join(fields)})"

    def as_dict(self) -> dict[str, Any]:
        """Return every field with its value, in the order of the class."""
        return {name: getattr(self, name) for name in self._fields}

    def replaced(self, **fields: Any) -> Self:
        """Return a value with these ``fields`` instead of its own. Raises TypeError for others."""
        return type(self)(**self.as_dict() | fields)

    def _compared(self) -> list[str]:
        return [name for name in self._fields if name not in self._apart]
