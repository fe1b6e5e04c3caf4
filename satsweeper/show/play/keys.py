"""The keys of the game: one table of actions, and files that bind other keys to them."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pbcnf.wording import unknown_name
from satsweeper.board.errors import Error
from satsweeper.notation.error import printable
from satsweeper.play.presets import PRESETS


class KeyAction(NamedTuple):
    """An action: its name in a file of keys, the default keys, and a description.

    ``short``: the action in a word or two, as the list beside the board has it; "": it has not.
    """

    name: str
    keys: tuple[str, ...]
    what: str
    short: str = ""


ACTIONS: Final = (
    KeyAction("left", ("left", "h"), "move left (h: straight after h, j, k or l)"),
    KeyAction("down", ("down", "j"), "move down"),
    KeyAction("up", ("up", "k"), "move up"),
    KeyAction("right", ("right", "l"), "move right"),
    KeyAction("row_start", ("home",), "to the start of the row"),
    KeyAction("row_end", ("end",), "to the end of the row"),
    KeyAction("top", ("g", "ctrl+home"), "to the top row"),
    KeyAction("bottom", ("G", "ctrl+end"), "to the bottom row"),
    KeyAction("page_up", ("pageup",), "up by a screen"),
    KeyAction("page_down", ("pagedown",), "down by a screen"),
    KeyAction("open", ("enter",), "open the cell; on a clue: chord", "open"),
    KeyAction("flag", ("space", "f"), "mark a mine: put a flag, or take it away", "flag"),
    KeyAction("chord", ("c",), "open what is left around a clue whose flags are set", "chord"),
    KeyAction("undo", ("u",), "take the last move back", "undo"),
    *(
        KeyAction(f"level_{number}", (str(number),), f"new game: {name}, {board}", name)
        for number, (name, board) in enumerate(PRESETS.items())
    ),
    KeyAction("new", ("n",), "new game on a board like this one", "new game"),
    KeyAction("again", ("r",), "the same game from its start", "restart"),
    KeyAction("explain", ("?",), "why the cell is safe or a mine", "why"),
    KeyAction("certain", ("s",), "show the certain cells: S safe, M mine", "certain cells"),
    KeyAction("odds", ("o",), "show the odds: .35 is a mine with 35 to 36 %", "odds"),
    KeyAction("best", ("b",), "to the safest cell by the odds, which ( ) mark", "safest cell"),
    KeyAction("step", (".",), "play what is certain now, once"),
    KeyAction("auto", ("a",), "play until stuck; when stuck: one guess", "play on"),
    KeyAction("to_the_end", ("A",), "play to the end, guesses included"),
    KeyAction("around", ("w",), "say what lies around the cell"),
    KeyAction("stop", ("escape",), "stop a search; put the hints away", "stop, hide"),
    KeyAction("help", ("h", "f1"), "this help", "help"),
    KeyAction("quit", ("q", "ctrl+q"), "leave", "leave"),
)
"""All actions that keys can have, in the order of the help."""

MOVES: Final = frozenset(action.name for action in ACTIONS[:4])
"""The actions whose keys may have a second action: see ``Keys.action``."""

_SPECIAL: Final = (
    *("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "insert", "delete"),
    *("space", "enter", "tab", "escape", "backspace"),
    *(f"f{number}" for number in range(1, 13)),
)
_WITH_CTRL: Final = re.compile(
    r"ctrl\+([abd-z]|left|right|up|down|home|end|pageup|pagedown)", re.ASCII
)
"""Keys with Ctrl that can be bound; Ctrl-C always interrupts."""
_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")


class KeysError(Error, ValueError):
    """A file of keys is invalid; the message is one line with the name, and the place if known."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Bindings, ``of``: action -> keys. Keys are characters, or names such as ``space``.

    >>> keys = Keys.default()
    >>> keys.action("h"), keys.action("h", after="l"), keys.action("x")
    ('help', 'left', None)
    """

    of: Mapping[str, tuple[str, ...]]

    @classmethod
    def default(cls) -> "Keys":
        """The default keys of the table."""
        return cls({action.name: action.keys for action in ACTIONS})

    def action(self, key: str, after: str | None = None) -> str | None:
        """The action of ``key``, pressed after the key ``after``; None for no action.

        A letter may have two actions, one of them in ``MOVES``, as ``h`` has. The move is meant if
        ``after`` is a letter that moves, else the second action.
        """
        found = [name for name, keys in self.of.items() if key in keys]
        if len(found) == 2:
            letters = {k for name in MOVES for k in self.of[name] if len(k) == 1}
            return next(name for name in found if (name in MOVES) == (after in letters))
        return found[0] if found else None

    def toml(self) -> str:
        """The bindings as TOML for ``read_keys``, with a comment for each action."""
        width = max(len(action.name) for action in ACTIONS)
        return "".join(
            f"{action.name:<{width}} = {json.dumps(list(self.of[action.name]))}  # {action.what}\n"
            for action in ACTIONS
        )


def read_keys(data: bytes, source: str) -> Keys:
    """Keys from ``data``, the content of a TOML file, or of JSON if ``source`` ends with ``.json``.

    Each entry names an action, and a key or a list of keys that replace the default keys of the
    action: ``flag = "m"``, ``open = ["enter", "o"]``. An action without an entry loses the keys
    that ``data`` gives to other actions, and may be left without keys. ``source``: the name of the
    file, also for messages.

    Raises:
        KeysError: no such action or key, one key for two actions, or no TOML or JSON at all.
    """
    shown = printable(source)
    entries = _parsed(data, source, shown)
    given = {name: _keys(shown, name, value) for name, value in entries.items()}
    owners: dict[str, str] = {}
    for name, keys in given.items():
        for key in keys:
            if key in owners and len({owners[key], name} - MOVES) != 1:
                raise KeysError(f"{shown}: key {key!r} is given to both {owners[key]} and {name}")
            owners[key] = name
    bound = Keys.default().of
    kept = {name: tuple(k for k in keys if k not in owners) for name, keys in bound.items()}
    return Keys(kept | given)


def _parsed(data: bytes, source: str, shown: str) -> dict[str, Any]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise KeysError(f"{shown}: this is no text in UTF-8") from None
    try:
        entries = json.loads(text) if source.endswith(".json") else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise KeysError(f"{shown}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        place = _PLACE.search(said)
        at = f":{place[1]}:{place[2]}" if place and place[1] else ""
        raise KeysError(f"{shown}{at}: no TOML: {_PLACE.sub('', said)}") from None
    except RecursionError:
        raise KeysError(f"{shown}: an object of actions and their keys is needed") from None
    if not isinstance(entries, dict):
        raise KeysError(f"{shown}: an object of actions and their keys is needed")
    return entries


def _keys(shown: str, name: str, value: object) -> tuple[str, ...]:
    known = [action.name for action in ACTIONS]
    if name not in known:
        raise KeysError(f"{shown}: {unknown_name('action', name, known)}")
    keys = value if isinstance(value, list) else [value]
    for key in keys:
        if not isinstance(key, str):
            raise KeysError(f"{shown}: {name}: a key is a text such as 'f', not {key!r}")
        character = len(key) == 1 and key.isprintable() and key != " "
        if not (key in _SPECIAL or _WITH_CTRL.fullmatch(key) or character):
            others = "; characters; ctrl+ and a letter but c"
            raise KeysError(f"{shown}: {name}: {unknown_name('key', key, _SPECIAL, others)}")
    return tuple(dict.fromkeys(keys))
