"""Which processes an installation on one machine has (OPS-2, OPS-4)."""

import os
from typing import Any

import pytest
from django.conf import settings as configured

from adminchat.celery import app
from adminchat.management.commands.quickstart import Command
from adminchat.providers import local_server

EMBEDDED = {"REDIS_URL": "", "ADMINCHAT_LOCAL_MODEL": True, "ADMINCHAT_LOCAL_MODEL_URL": "", "ADMINCHAT_MODEL_NAME": ""}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({}, ["broker", "model", "worker", "web"]),
        ({"REDIS_URL": "redis://broker.example"}, ["model", "worker", "web"]),
        ({"ADMINCHAT_LOCAL_MODEL": False}, ["broker", "worker", "web"]),
        ({"ADMINCHAT_LOCAL_MODEL_URL": "http://127.0.0.1:9/v1"}, ["broker", "worker", "web"]),
        ({"ADMINCHAT_MODEL_NAME": "qwen3", "ADMINCHAT_MODEL_KIND": "openai"}, ["broker", "worker", "web"]),
        ({"ADMINCHAT_MODEL_NAME": "qwen3", "ADMINCHAT_MODEL_KIND": ""}, ["broker", "worker", "web"]),
    ],
    ids=["all", "a broker", "no model", "a model server", "a preset", "a preset of the usual kind"],
)
def test_what_is_given_is_not_started(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, given: dict[str, Any], names: list[str]
) -> None:  # OPS-2
    monkeypatch.setattr(os, "environ", dict(os.environ))
    for name, value in {**EMBEDDED, "ADMINCHAT_DATA_DIR": tmp_path, **given}.items():
        setattr(settings, name, value)
    assert [program.name for program in Command().chosen_programs()] == names


def test_tasks_are_json_and_nothing_else() -> None:  # OPS-2
    conf = app.conf
    assert (conf.task_serializer, conf.result_serializer, list(conf.accept_content)) == ("json", "json", ["json"])


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 1), (8, 7), (None, 1)])
def test_built_in_model_leaves_one_core_to_the_rest(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, threads: int
) -> None:  # OPS-4
    given: list[int] = []
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(local_server, "serve", lambda host, port, threads, context: given.append(threads))
    assert local_server.main(["--port", "9"]) == 0
    assert given == [threads]


def test_dead_turn_is_ended_within_a_minute() -> None:  # REL-2, OPS-2
    assert configured.ADMINCHAT_SWEEP_SECONDS == 15
    assert configured.ADMINCHAT_TURN_STALE_SECONDS + configured.ADMINCHAT_SWEEP_SECONDS <= 60
