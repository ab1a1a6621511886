"""The Celery application as a worker runs it."""

import gc
import os
import warnings
from typing import Any

import click
from celery import bootsteps
from celery.platforms import SecurityWarning
from celery.signals import setup_logging, worker_init, worker_process_shutdown
from celery.worker.components import Timer
from django.conf import settings
from django_structlog.celery.steps import DjangoStructLogInitStep

from adminchat.lib import wakeup
from adminchat.lib.queue import app

# In a container it may well run as root; the danger meant is pickle, which is not accepted.
warnings.filterwarnings("ignore", category=SecurityWarning)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.quickstart")

app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)

SWEEP = "chat.tasks.sweep"


class Sweeper(bootsteps.StartStopStep):
    """With ``--sweep`` a worker queues the sweep itself: on one machine beat would be one process more (OPS-2)."""

    requires = {Timer}

    def __init__(self, parent: Any, sweep: bool = False, **options: Any) -> None:
        self.enabled = sweep
        self.entry: Any = None

    def start(self, parent: Any) -> None:
        seconds = settings.ADMINCHAT_SWEEP_SECONDS
        self.entry = parent.timer.call_repeatedly(seconds, app.send_task, (SWEEP,), {"expires": seconds})

    def stop(self, parent: Any) -> None:
        if self.entry is not None:
            self.entry.cancel()


app.steps["worker"].add(Sweeper)
app.user_options["worker"].add(click.Option(["--sweep"], is_flag=True, help="Queue the sweep every few seconds."))


class Waker(bootsteps.StartStopStep):
    """Lets a worker that is asked to stop do so at once; a part of the consumer, which sets up the loop anew at each
    connection to the broker."""

    descriptor: int | None = None

    def start(self, parent: Any) -> None:
        if self.descriptor is None:
            self.descriptor = wakeup.pipe()
        parent.controller.hub.add_reader(self.descriptor, wakeup.drain, self.descriptor)


app.steps["consumer"].add(Waker)


@setup_logging.connect
def keep_django_logging(**signal: object) -> None:
    """Having a receiver keeps Celery from setting up its own logging, which prints results and exceptions."""


@worker_init.connect
def refuse_wrong_key(**signal: object) -> None:
    """Stop a worker whose keys don't fit the database before it takes a task. Raises WrongKey."""
    from adminchat import keycheck

    keycheck.verify()


@worker_init.connect
def leave_loaded_code_alone(**signal: object) -> None:
    """Let the collector skip all that is loaded: the pool's processes go on sharing it, and the end comes sooner."""
    gc.collect()
    gc.freeze()


@worker_process_shutdown.connect
def end_at_once(exitcode: int, **signal: object) -> None:
    """End a pool's process that has done its work: it would tell the worker, which listens no more, and wait a second."""
    os._exit(exitcode)
