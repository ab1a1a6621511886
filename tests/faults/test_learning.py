"""Learning whose workers are killed, and whose broker goes: each turn is learned once (REL-1, REL-3, LEARN-22)."""

import os
import random
import signal
from contextlib import suppress
from threading import Event

from adminchat.accounts.models import Extractor, TenantPolicy
from memory import selectors
from memory.learning.outcomes import Outcome
from memory.models import Change, Learning
from tests.browser.test_learning import operation, proposing
from tests.scenes import Scene
from tests.servers import Worker, eventually

KILLS = int(os.environ.get("LEARNING_KILLS", "3"))  # `make kills` makes it a hundred
QUICKLY = {
    "ADMINCHAT_LEARNING_SECONDS": "2",
    "ADMINCHAT_LEARNING_DELAY_SECONDS": "1",
    "ADMINCHAT_SWEEP_SECONDS": "1",
    "ADMINCHAT_MEMORY_ENTRIES": "1000",
    "ADMINCHAT_MEMORY_CHANGES": "1000",
}


def _kill(worker: Worker, whole: bool) -> None:
    """Kill what runs the tasks, or the whole worker, as a power cut would."""
    children = worker.children()
    if whole:
        worker.kill()
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def test_each_turn_is_learned_once_whenever_workers_are_killed(any_scene: Scene) -> None:  # REL-1
    chance = random.Random(KILLS)
    scene = any_scene
    browser = scene.browser()
    worker = scene.site.worker(**QUICKLY)
    try:
        for number in range(KILLS):
            worker.start()
            session = scene.session("echo")
            session.memory_mode = "learn"
            session.save()
            text = f"I use port {8000 + number}"
            for _ in range(3):  # as often as it may be asked again
                proposal = operation(f"Uses port {8000 + number}.", text, fact_key=f"port_{number}")
                scene.script_extraction(session, proposing(proposal), delay=0.2)
            turn = browser.ask(session, f"Please remember that {text}.")
            scene.ended(turn)
            eventually(lambda: worker.children(), 20)
            Event().wait(chance.uniform(0, 1.0))  # a moment at which it may be anywhere
            _kill(worker, whole=number % 2 == 0)
            if worker.process and worker.process.poll() is not None:
                worker.start()
            eventually(lambda turn=turn: Learning.objects.filter(pk=turn).exclude(outcome=""), 60)
            assert Learning.objects.get(pk=turn).outcome == Outcome.UPDATED
            worker.stop()
    finally:
        worker.stop()
    entries = sorted(entry.text for entry in selectors.entries(scene.user))
    assert entries == [f"Uses port {8000 + number}." for number in range(KILLS)]
    assert Change.objects.filter(book__user=scene.user).count() == KILLS
    assert Learning.objects.filter(user=scene.user).count() == KILLS


def test_a_broker_that_is_down_delays_learning_and_loses_nothing(any_scene: Scene) -> None:  # REL-3, LEARN-22
    scene = any_scene
    TenantPolicy.objects.update_or_create(tenant=scene.user.tenant, defaults={"extractor": Extractor.RULES})
    session = scene.session("echo")
    session.memory_mode = "learn"
    session.save()
    broker = scene.site.broker
    assert broker
    broker.stop()
    try:
        turn = scene.browser().ask(session, "Please remember that I use fish as my shell.")
        assert scene.ended(turn).state == "done"
        assert Learning.objects.get(pk=turn).is_waiting
    finally:
        broker.start()
    with scene.site.worker(**QUICKLY):
        eventually(lambda: Learning.objects.filter(pk=turn, outcome=Outcome.UPDATED), 60)
    assert [entry.text for entry in selectors.entries(scene.user)] == ["I use fish as my shell."]
