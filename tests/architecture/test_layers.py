"""The house's rules on imports, held with the tests as well as by make lint."""

import ast
import contextlib
import io
from pathlib import Path

import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import AddField
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tests.servers import ROOT

LINES = 400
ORDER = ["accounts", "connections", "prompts", "memory", "chat"]
OURS = [
    path
    for name in ("adminchat", "chat", "memory")
    for path in (ROOT / name).rglob("*.py")
    if "migrations" not in path.parts
]


def test_imports_run_one_way() -> None:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, output.getvalue()


def test_migrations_depend_one_way() -> None:  # OPS-9
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if app in ORDER:
            later = ORDER[ORDER.index(app) + 1 :]
            assert not {dependency[0] for dependency in migration.dependencies} & set(later), f"{app}.{name}"


def test_migrations_are_linear() -> None:  # OPS-9
    loader = MigrationLoader(None)
    for app in ORDER:
        assert len(loader.graph.leaf_nodes(app)) == 1
    assert loader.detect_conflicts() == {}


def test_the_custom_user_is_in_the_first_migration() -> None:  # OPS-9
    first = MigrationLoader(None).disk_migrations["accounts", "0001_initial"]
    created = {getattr(operation, "name", "") for operation in first.operations}
    assert "User" in created
    assert apps.get_model("accounts", "User")._meta.swapped is None


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LINES


def test_public_functions_of_the_kernel_say_what_they_do() -> None:
    silent = []
    for path in (ROOT / "adminchat" / "lib").rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            public = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if public and not node.name.startswith("_") and not ast.get_docstring(node):
                silent.append(f"{path.name}: {node.name}")
    assert silent == []


def test_new_columns_let_the_old_version_write() -> None:  # OPS-9
    """While the new version migrates, the old one still runs: it doesn't know the column and gives it no value."""
    refusing = []
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if app in ORDER and not name.startswith("0001"):
            for step in migration.operations:
                if isinstance(step, AddField) and not step.field.null and not step.field.has_db_default():
                    refusing.append(f"{app}.{name}: {step.name}")
    assert refusing == []
