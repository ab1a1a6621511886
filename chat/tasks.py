"""Background work: each task fetches and calls, nothing else."""

from celery import shared_task


@shared_task(ignore_result=True)
def sweep() -> None:
    """Upkeep every few seconds; see ``chat.upkeep``."""
    from chat import upkeep  # here, so that a worker's main process, which runs no tasks, stays small

    upkeep.sweep()
