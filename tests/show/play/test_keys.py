"""Keys: one action each, and files that bind others, with one line for what is wrong in them."""

import tomllib

import pytest

from satsweeper.board.errors import Error
from satsweeper.play.game import LEVELS
from satsweeper.show.play.app import PlayApp
from satsweeper.show.play.game_session import PAGES, STEPS
from satsweeper.show.play.keys import ACTIONS, Keys, KeysError, read_keys


def test_every_action_is_done_by_something() -> None:
    elsewhere = {*STEPS, *PAGES, *(f"level_{k}" for k in range(len(LEVELS)))}
    elsewhere |= {"open", "chord", "undo", "again", "new"}
    for action in ACTIONS:
        assert (action.name in elsewhere) != hasattr(PlayApp, f"_{action.name}"), action


def test_h_moves_only_straight_after_letters_that_move() -> None:
    keys = Keys.default()
    assert [keys.action("h", after) for after in (None, "left", "f", "h", "j", "k", "l")] == [
        *("help", "help", "help"),
        *("left", "left", "left", "left"),
    ]


def test_no_other_key_has_two_actions() -> None:
    bound = [key for action in ACTIONS for key in action.keys]
    assert sorted(key for key in set(bound) if bound.count(key) > 1) == ["h"]


def test_a_file_replaces_keys_of_what_it_names_and_takes_them_from_others() -> None:
    keys = read_keys(b'flag = ["m", "o"]\nhelp = "f1"\nleft = ["left", "h"]\nquit = []\n', "k.toml")
    assert [keys.action(key) for key in "mofqh"] == ["flag", "flag", None, None, "left"]
    assert keys.action("f1") == "help"
    assert read_keys(b'{"flag": "m"}', "k.json").action("m") == "flag"
    assert read_keys(b"", "k.toml") == Keys.default()


def test_what_is_printed_is_read_back() -> None:
    default = Keys.default()
    assert read_keys(default.toml().encode(), "k.toml") == default
    other = Keys({**default.of, "flag": ("m", '"', "\\")})
    assert read_keys(other.toml().encode(), "k.toml") == other
    assert tomllib.loads(default.toml()) == {each.name: list(each.keys) for each in ACTIONS}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("k.toml", "flag = ?", "k.toml:1:8: no TOML: Invalid value"),
        ("k.toml", "flag = ", "k.toml: no TOML: Invalid value"),
        ("k.toml", 'flag = "f"\nflag = "m"', "k.toml: no TOML: Cannot overwrite a value"),
        ("k.json", '{"flag": "f",}', "k.json:1:14: no JSON: "),
        ("k.json", "[]", "k.json: an object of actions and their keys is needed"),
        ("k.json", "[" * 100_000, "k.json: an object of actions and their keys is needed"),
        ("k.toml", 'flags = "f"', "k.toml: unknown action 'flags'; did you mean 'flag'? (known: "),
        ("k.toml", 'flag = "Spce"', "k.toml: flag: unknown key 'Spce'; did you mean 'space'?"),
        ("k.toml", 'flag = "ctrl+c"', "k.toml: flag: unknown key 'ctrl+c'"),
        ("k.toml", 'flag = " "', "k.toml: flag: unknown key ' '"),
        ("k.toml", "flag = 7", "k.toml: flag: a key is a text such as 'f', not 7"),
        ("k.toml", "[flag]\na = 1", "k.toml: flag: a key is a text such as 'f', not {'a': 1}"),
        ("k.toml", 'flag = "x"\nopen = "x"', "k.toml: key 'x' is given to both flag and open"),
        ("a\nb.toml", "flag = 7", "a\\nb.toml: flag: "),
        ("k.toml", b"\xff", "k.toml: this is no text in UTF-8"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(name, text, said) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(KeysError) as caught:
        read_keys(data, name)
    assert isinstance(caught.value, Error)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
