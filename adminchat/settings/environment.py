"""Reads settings from the environment, typed, and remembers each one for the table in docs/settings.md (OPS-7)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from environs import EnvError, FileAwareEnv

MISSING: Any = ...
WEB = ("http", "https")


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table. ``default`` is what the documentation shows; None means that it has to be given."""

    name: str
    kind: str
    default: str | None
    about: str


class Environment:
    """Each method reads one variable, or the file that ``NAME_FILE`` points to.

    Raises ImproperlyConfigured, naming the variable but never its value, when it is missing or doesn't parse.
    """

    def __init__(self) -> None:
        self._env = FileAwareEnv(strip_whitespace=True)
        self.settings: list[Setting] = []

    def text(self, name: str, default: str = MISSING, *, about: str, shown: str | None = None) -> str:
        value: str = self._read(self._env.str, "text", name, default, about, shown)
        return value

    def number(self, name: str, default: int, *, about: str, lowest: int = 0, highest: int | None = None) -> int:
        value: int = self._read(self._env.int, "whole number", name, default, about)
        if value < lowest:
            raise ImproperlyConfigured(f"{name} must be at least {lowest}.")
        if highest is not None and value > highest:
            raise ImproperlyConfigured(f"{name} must be at most {highest}.")
        return value

    def seconds(self, name: str, default: float, *, about: str) -> float:
        value: float = self._read(self._env.float, "seconds", name, default, about)
        if value <= 0:
            raise ImproperlyConfigured(f"{name} must be more than 0.")
        return value

    def optional_number(self, name: str, default: int | None, *, about: str, lowest: int = 0) -> int | None:
        """A number, or None where the variable is set to nothing, which switches the limit off."""
        if self._read(self._env.str, "", name, " ", "") == "":
            value = None
            self._remember(name, "whole number or empty", default, about)
        else:
            value = self._read(self._env.int, "whole number or empty", name, default, about)
        if value is not None and value < lowest:
            raise ImproperlyConfigured(f"{name} must be at least {lowest}, or empty.")
        return value

    def switch(self, name: str, default: bool, *, about: str, shown: str | None = None) -> bool:
        value: bool = self._read(self._env.bool, "yes or no", name, default, about, shown or ("1" if default else "0"))
        return value

    def words(self, name: str, default: list[str] = MISSING, *, about: str, shown: str | None = None) -> list[str]:
        shown = shown if default is MISSING else ",".join(default) if shown is None else shown
        value: list[str] = self._read(self._env.list, "list, by commas", name, default, about, shown)
        return [word.strip() for word in value if word.strip()]

    def choice(self, name: str, default: str, choices: tuple[str, ...], *, about: str) -> str:
        kind = " · ".join(f"`{choice}`" for choice in choices if choice)
        value: str = self._read(self._env.str, kind, name, default, about)
        if value not in choices:
            raise ImproperlyConfigured(f"{name} must be one of {', '.join(filter(None, choices))}.")
        return value

    def address(
        self, name: str, default: str, schemes: tuple[str, ...] = WEB, *, about: str, shown: str | None = None
    ) -> str:
        """A URL of one of ``schemes``, or nothing."""
        value: str = self._read(self._env.str, "address", name, default, about, shown)
        if value:
            _refuse_other_than_address(name, value, schemes)
        return value

    def origins(self, name: str, default: list[str], *, about: str) -> list[str]:
        values = self.words(name, default, about=about)
        for value in values:
            _refuse_other_than_address(name, value, WEB)
        return values

    def database(self, name: str, default: str, *, about: str, shown: str) -> dict[str, Any]:
        address = self._read(self._env.str, "address", name, default, about, shown) or default
        try:
            parsed = dict(dj_database_url.parse(address))
        except (dj_database_url.ParseError, dj_database_url.UnknownSchemeError, ValueError):
            parsed = {}
        known = address.startswith(("postgresql://", "postgres://", "sqlite://"))
        if not known or parsed.get("NAME") in (None, "", ":memory:"):  # each process would have a memory of its own
            raise ImproperlyConfigured(f"{name} is not the address of a database. See docs/settings.md.")
        return parsed

    def _read(
        self, parse: Callable[..., Any], kind: str, name: str, default: Any, about: str, shown: str | None = None
    ) -> Any:
        if about:
            self._remember(name, kind, default if shown is None else shown, about)
        try:
            return parse(name) if default is MISSING else parse(name, default)
        except (EnvError, ValueError) as error:
            problem = "is not readable as " + kind if self._given(name) else "is not set"
            raise ImproperlyConfigured(f"{name} {problem}. See docs/settings.md.") from error

    def _given(self, name: str) -> bool:
        return self._env.str(name, None) is not None

    def _remember(self, name: str, kind: str, default: Any, about: str) -> None:
        shown = None if default is MISSING else "" if default is None else str(default)
        self.settings.append(Setting(name, kind, shown, about))


def _refuse_other_than_address(name: str, value: str, schemes: tuple[str, ...]) -> None:
    """Raise ImproperlyConfigured unless ``value`` is a URL that says where, as far as that can be told offline."""
    try:
        parts = urlsplit(value)
        complete = parts.path if parts.scheme == "unix" else parts.hostname and parts.port != 0
        if parts.scheme.startswith("redis") and not (parts.path.strip("/") or "0").isdecimal():
            complete = False  # its path is the number of a database
    except ValueError:  # a port that is no number, a bracket that isn't closed
        complete = False
    begins = tuple(f"{scheme}://" for scheme in schemes)
    if not complete or not value.startswith(begins) or value.split() != [value]:
        raise ImproperlyConfigured(
            f"{name} is not an address that begins with {' or '.join(begins)}. See docs/settings.md."
        )


env = Environment()
