"""Background work of memory: each task fetches and calls, nothing else."""

from uuid import UUID

from adminchat.lib.queue import app


@app.task(ignore_result=True, queue="learning")
def learn(turn_id: str) -> None:
    """Learn from a turn; the task carries no text (LEARN-8)."""
    from memory.learning import learner  # here, so that a worker's main process, which runs no tasks, stays small

    learner.learn(UUID(turn_id))
