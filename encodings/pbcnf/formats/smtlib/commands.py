"""The commands of an SMT-LIB script, executed: assertions and goals at the last check-sat."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any, Final, NamedTuple

from pbcnf.formats.smtlib.operators import SORTS, Sort, Value
from pbcnf.formats.smtlib.term_reader import (
    NUMERAL,
    Definition,
    Function,
    Meaning,
    Script,
    TermReader,
    Token,
    Tokens,
    name_of,
    new_name,
)

Place = tuple[int, int]
"""Line and column, from 1."""


class Asserted(NamedTuple):
    """A term that must hold."""

    term: Any
    place: Place


class Goal(NamedTuple):
    """An objective to minimise or maximise, or a soft assertion with its group and weight."""

    command: str
    term: Any
    place: Place
    weight: Fraction = Fraction(1)
    group: str = ""


@dataclass(slots=True)
class Query:
    """The question of a check-sat: declarations, assertions and objectives."""

    declared: dict[Any, Place]
    """The symbols of Bools and Ints."""
    names: dict[Any, str]
    """The name of each symbol in the script."""
    asserted: list[Asserted]
    goals: list[Goal]


@dataclass(slots=True)
class State:
    """Declarations, assertions and goals after some commands, in order of addition."""

    meanings: dict[str, Meaning] = field(default_factory=dict)
    declared: dict[Any, Place] = field(default_factory=dict)
    asserted: list[Asserted] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)


_DECIMAL: Final = re.compile(r"(0|[1-9][0-9]{0,999})(\.[0-9]{1,1000})?")
_SKIPPED: Final = ("set-info", "echo", "eval", "apply", "simplify", "labels", "display", "help")
_MOST_PUSHED: Final = 1_000_000


class Commands:
    """Executes commands; `asked` is the query of the last check-sat, None before the first."""

    def __init__(self, script: Script, environment: Any) -> None:
        """Start with nothing declared."""
        self.asked: Query | None = None
        self._script, self._environment = script, environment
        self._manager = environment.formula_manager
        self._names: dict[Any, str] = {}
        self._state = State()
        self._pushed: list[list[int]] = []
        self._global = False
        self._expanded = [0]
        self._again = count()
        self._priority: Token | None = None

    def run(self) -> Query:
        """Execute all commands; return the query of the last check-sat, or of the script's end.

        Raises FormatError, with line and column, for unsupported input.
        """
        carried_out: dict[str, Callable[[Tokens], None]] = {
            "declare-fun": self._declare, "declare-const": self._declare,
            "define-fun": self._define, "define-const": self._define,
            "assert": self._assert, "assert-soft": self._assert_soft,
            "minimize": self._optimise, "maximize": self._optimise,
            "push": self._push, "pop": self._pop,
            "reset": self._reset, "reset-assertions": self._reset,
            "check-sat": self._check, "check-sat-using": self._check,
            "check-sat-assuming": self._check,
            "set-logic": self._set_logic, "set-option": self._set_option,
        }  # fmt: skip
        for words in self._script.commands():
            head, tokens = words[1], Tokens(self._script, words)
            if head.text == "exit":
                break
            if head.text in carried_out:
                carried_out[head.text](tokens)
            elif head.text not in _SKIPPED and not head.text.startswith("get-"):
                message = f"a command {head.shown()} is not read"
                raise self._script.error(head, message)
        asked = self.asked or self._query()
        goals = {each.group if each.command == "assert-soft" else each for each in asked.goals}
        if len(goals) > 1 and self._priority is not None and self._priority.text != "lex":
            message = f"{self._priority.shown()}: of several objectives the first counts most (lex)"
            raise self._script.error(self._priority, message)
        return asked

    def _query(self) -> Query:
        state = self._state
        return Query(dict(state.declared), self._names, [*state.asserted], [*state.goals])

    def _term(self, tokens: Tokens, parameters: dict[str, Value] | None = None) -> Value:
        reader = TermReader(tokens, self._state.meanings, self._environment, self._expanded)
        return reader.read(parameters)

    def _place(self, tokens: Tokens) -> Place:
        return self._script.place(tokens.first.offset)

    def _declare(self, tokens: Tokens) -> None:
        """Declare a function, or a constant, which has no arguments and is written without ()."""
        wanted, sorts = "( declare-const NAME SORT )", list[Sort]()
        name = new_name(tokens, self._state.meanings)
        if tokens.name == "declare-fun":
            wanted = "( declare-fun NAME ( SORT ... ) SORT )"
            tokens.expect("open", wanted)
            while tokens.peek().kind != "close":
                sorts.append(self._sort(tokens))
            tokens.take()
        sort = self._sort(tokens)
        tokens.end(f"{wanted} is needed")
        kind = self._type(sort)
        if sorts:
            kind = self._environment.type_manager.FunctionType(
                kind, [self._type(each) for each in sorts]
            )
        # Behind a pop, a name may be declared again with another sort: pysmt needs a new symbol.
        unused = f"({name}){next(self._again)}" if name in self._manager.symbols else name
        symbol = self._manager.Symbol(unused, kind)
        self._names[symbol] = name
        if sorts:
            self._state.meanings[name] = Function(symbol, tuple(sorts), sort)
        else:
            self._state.meanings[name] = Value(symbol, sort)
            self._state.declared[symbol] = self._place(tokens)

    def _define(self, tokens: Tokens) -> None:
        """Define a function, or a constant, which has no parameters and is written without ()."""
        name = new_name(tokens, self._state.meanings)
        parameters: dict[str, Value] = {}
        if tokens.name == "define-fun":
            tokens.expect("open", "( ( NAME SORT ) ... )")
            while tokens.peek().kind == "open":
                tokens.take()
                parameter = new_name(tokens, parameters)
                sort = self._sort(tokens)
                symbol = self._manager.FreshSymbol(self._type(sort), "(parameter %d)")
                parameters[parameter] = Value(symbol, sort)
                tokens.expect("close", "( NAME SORT )")
            tokens.expect("close", "( ( NAME SORT ) ... )")
        sort = self._sort(tokens)
        before = tokens.peek()
        body = self._term(tokens, parameters)
        tokens.end("a definition has one term")
        if body.sort != sort:
            message = f"{before.shown()}: the term is of {body.sort}, not of {sort}"
            raise self._script.error(before, message)
        if name in self._state.meanings:  # a :named term within
            raise self._script.error(tokens.first, f"'{name}' is declared twice")
        defined = Definition(tuple(parameters.values()), body) if parameters else body
        self._state.meanings[name] = defined

    def _sort(self, tokens: Tokens) -> Sort:
        token = tokens.take()
        for sort in SORTS:
            if token.text == sort:
                return sort
        raise self._script.error(token, f"{token.shown()}: only Int and Bool are read")

    def _type(self, sort: Sort) -> Any:
        types = self._environment.type_manager
        return types.BOOL() if sort == "Bool" else types.INT()

    def _wanted(self, tokens: Tokens, sort: Sort, command: str) -> Value:
        before = tokens.peek()
        value = self._term(tokens)
        if value.sort != sort:
            kind = "integer" if sort == "Int" else "Boolean"
            message = f"{command} needs one {kind} term"
            raise self._script.error(before, message)
        return value

    def _assert(self, tokens: Tokens) -> None:
        value = self._wanted(tokens, "Bool", "assert")
        tokens.end("'assert' needs one term")
        self._state.asserted.append(Asserted(value.term, self._place(tokens)))

    def _assert_soft(self, tokens: Tokens) -> None:
        value = self._wanted(tokens, "Bool", "assert-soft")
        weight, group = Fraction(1), ""
        for key, given in self._attributes(tokens, (":weight", ":id")):
            if key.text == ":id":
                group = name_of(given)
            elif _DECIMAL.fullmatch(given.text):
                weight = Fraction(given.text)
            else:
                raise self._script.error(
                    given, f"{given.shown()}: a weight is a decimal of at least 0"
                )
        goal = Goal("assert-soft", value.term, self._place(tokens), weight, group)
        self._state.goals.append(goal)

    def _optimise(self, tokens: Tokens) -> None:
        command, token = tokens.name, tokens.peek()
        groups = [each.group for each in self._state.goals if each.command == "assert-soft"]
        if token.text not in self._state.meanings and token.kind == "word" and token.text in groups:
            # OptiMathSAT minimises the cost of a group, and every group is an objective anyway.
            tokens.take()
            if command == "maximize":
                raise self._script.error(token, f"{token.shown()}: its cost is only minimised")
            self._attributes(tokens, (":id",))
            return
        value = self._wanted(tokens, "Int", command)
        self._attributes(tokens, (":id",))
        self._state.goals.append(Goal(command, value.term, self._place(tokens)))

    def _attributes(self, tokens: Tokens, known: tuple[str, ...]) -> list[tuple[Token, Token]]:
        found = []
        while tokens.peek().kind != "close":
            key = tokens.take()
            if key.text not in known:
                message = f"{key.shown()}: only {' and '.join(known)} are read behind the term"
                raise self._script.error(key, message)
            found.append((key, tokens.expect("word", f"a value of {key.text}")))
        return found

    def _push(self, tokens: Tokens) -> None:
        levels = self._levels(tokens)
        if len(self._pushed) + levels > _MOST_PUSHED:
            raise self._script.error(tokens.first, f"more than {_MOST_PUSHED:,} levels are pushed")
        state = self._state
        parts = (state.meanings, state.declared, state.asserted, state.goals)
        self._pushed += [[len(part) for part in parts]] * levels

    def _pop(self, tokens: Tokens) -> None:
        levels = self._levels(tokens)
        if levels > len(self._pushed):
            raise self._script.error(tokens.first, f"{levels} popped, {len(self._pushed)} pushed")
        if levels:
            state = self._state
            meanings, declared, asserted, goals = self._pushed[-levels]
            del self._pushed[-levels:], state.asserted[asserted:], state.goals[goals:]
            while not self._global and len(state.meanings) > meanings:
                state.meanings.popitem()
            while not self._global and len(state.declared) > declared:
                state.declared.popitem()

    def _levels(self, tokens: Tokens) -> int:
        if tokens.peek().kind == "close":
            return 1
        token = tokens.take()
        if not NUMERAL.fullmatch(token.text):
            raise self._script.error(token, f"{token.shown()} is no number of levels")
        tokens.end(f"{tokens.name} has one number")
        return int(token.text)

    def _reset(self, tokens: Tokens) -> None:
        tokens.end(f"{tokens.name} stands alone")
        self._global = self._global and tokens.name == "reset-assertions"
        # Global declarations outlive the assertions.
        kept = self._state if self._global else State()
        self._state, self._pushed = State(kept.meanings, kept.declared), []

    def _check(self, tokens: Tokens) -> None:
        """Record the query, with the terms of check-sat-assuming, or of Z3's check-sat, assumed."""
        self.asked = self._query()
        if tokens.name == "check-sat-using":  # Tactics do not change the problem.
            return
        listed = tokens.name == "check-sat-assuming"
        if listed:
            tokens.expect("open", "( TERM ... )")
        while tokens.peek().kind != "close":
            value = self._wanted(tokens, "Bool", "an assumption")
            self.asked.asserted.append(Asserted(value.term, self._place(tokens)))
        if listed:
            tokens.take()
            tokens.end("check-sat-assuming has one list")

    def _set_logic(self, tokens: Tokens) -> None:
        tokens.expect("word", "the name of a logic")
        tokens.end("set-logic has one name")

    def _set_option(self, tokens: Tokens) -> None:
        key, value = tokens.take(), tokens.peek()
        if key.text == ":global-declarations":
            self._global = value.text == "true"
        if key.text == ":opt.priority":
            self._priority = value
