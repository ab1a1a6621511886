"""The Celery application. Tasks find it through ``shared_task``; JSON only, settings named CELERY_ in Django's."""

import os

from celery import Celery
from celery.signals import setup_logging, worker_init
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adminchat.settings.quickstart")

app = Celery("adminchat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def keep_django_logging(**signal: object) -> None:
    """Having a receiver keeps Celery from setting up its own logging, which prints results and exceptions."""


@worker_init.connect
def refuse_wrong_key(**signal: object) -> None:
    """Stop a worker whose keys don't fit the database before it takes a task. Raises WrongKey."""
    from adminchat import keycheck

    keycheck.verify()
