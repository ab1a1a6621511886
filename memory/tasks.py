"""Background work of memory: each task fetches and calls, nothing else."""

from uuid import UUID

from adminchat.lib.queue import app

TIME_LIMIT = 120  # seconds; what hangs longer than the model may take, is ended


@app.task(ignore_result=True, soft_time_limit=TIME_LIMIT - 10, time_limit=TIME_LIMIT)
def learn(turn_id: str) -> None:
    """Learn from a turn; the task carries no text (LEARN-8)."""
    from memory.learning import learner  # here, so that a worker's main process, which runs no tasks, stays small

    learner.learn(UUID(turn_id))
