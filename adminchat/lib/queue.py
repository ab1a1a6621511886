"""The Celery application, as those who send tasks need it: JSON only, settings named CELERY_ in Django's.

What a worker needs beyond that is in ``adminchat.celery``. A process that sends nothing doesn't import Celery at all.
"""

from celery import Celery

app = Celery("adminchat")
app.config_from_object("django.conf:settings", namespace="CELERY")
