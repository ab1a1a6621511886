"""Learning in a turn, from its end to its receipt, with an endpoint that answers what a test says."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from adminchat.accounts.models import Extractor, MemoryMode, TenantPolicy, User
from chat import sessions, turns
from chat.models import Session, Turn
from chat.upkeep import sweep
from memory import entries, history, selectors, suggestions, wishes
from memory.entries import BookFull, Content, Outdated
from memory.learning import jobs, learner, receipts
from memory.learning.apply import AlreadyThere
from memory.learning.outcomes import Outcome
from memory.models import Change, Entry, Learning, Source
from tests.browser.test_learning import operation, proposing
from tests.factories import EntryFactory, MembershipFactory, TurnFactory
from tests.scenes import Scene

SHELL = operation("Uses fish as the shell.", "I use fish as my shell", fact_key="shell")
ASKED = "Please remember that I use fish as my shell."


def ended(session: Session, text: str = ASKED, **fields: Any) -> Turn:
    """A turn in Learn mode that has just ended."""
    turn = TurnFactory.create(
        session=session, message__text=text, memory_mode=MemoryMode.LEARN, state=Turn.State.RUNNING, **fields
    )
    assert turns.finish(turn, turns.Outcome(state=Turn.State.DONE, text="Sure."))
    return turn


def learned(turn: Turn) -> Learning:
    learner.learn(turn.pk)
    return Learning.objects.get(pk=turn.pk)


@pytest.fixture
def session(scene: Scene) -> Session:
    session = scene.session("echo")
    session.memory_mode = MemoryMode.LEARN
    session.save()
    return session


def turn_of(session: Session, **fields: Any) -> Turn:
    return ended(session, model=session.model, **fields)


def texts(user: User) -> list[str]:
    return [entry.text for entry in selectors.entries(user)]


def test_what_the_message_says_is_written_with_its_history(scene: Scene, session: Session) -> None:
    scene.script_extraction(session, proposing(SHELL), usage=(120, 30))  # LEARN-8, LEARN-11, LEARN-12, LEARN-18
    turn = turn_of(session)
    learning = learned(turn)
    entry = selectors.entries(scene.user).get()
    assert (entry.text, entry.source, entry.evidence, entry.message_id) == (
        "Uses fish as the shell.",
        Source.LEARNED,
        "I use fish as my shell",
        turn.message_id,
    )
    change = Change.objects.get(entry_id=entry.pk)
    assert change.prompt_code == learning.prompt_code != ""
    assert (learning.outcome, learning.input_tokens, learning.output_tokens) == (Outcome.UPDATED, 120, 30)
    receipt = receipts.of_learning(scene.user, learning)
    assert receipt.summary == ["My global: 1 added."]


def test_running_twice_writes_once(scene: Scene, session: Session) -> None:  # LEARN-8, REL-1
    scene.script_extraction(session, proposing(SHELL))
    turn = turn_of(session)
    learned(turn)
    learned(turn)
    assert texts(scene.user) == ["Uses fish as the shell."]
    assert Change.objects.filter(book__user=scene.user).count() == 1


def test_of_two_workers_at_one_turn_one_writes(  # LEARN-8, LEARN-18, REL-1
    scene: Scene, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        scene.script_extraction(session, proposing(SHELL))
    turn = turn_of(session)
    propose = learner.propose

    def while_another_worker_is_faster(*args: Any) -> Any:
        monkeypatch.setattr(learner, "propose", propose)
        proposal = propose(*args)
        learner.learn(turn.pk)
        return proposal

    monkeypatch.setattr(learner, "propose", while_another_worker_is_faster)
    first = learned(turn)
    assert texts(scene.user) == ["Uses fish as the shell."]
    assert Change.objects.filter(book__user=scene.user).count() == 1
    assert (first.outcome, len(first.written)) == (Outcome.UPDATED, 1)


def test_only_the_message_and_related_entries_are_sent(
    scene: Scene, session: Session
) -> None:  # LEARN-1, LEARN-9, SEC-2
    EntryFactory.create(user=scene.user, text="The shell is bash.")
    EntryFactory.create(user=scene.user, text="Put away.", tier="archive")
    for number in range(20):
        EntryFactory.create(user=scene.user, text=f"Fact number {number}.")
    scene.script_extraction(session, proposing())
    turn_of(session)
    turn = turn_of(session, text="Remember that my shell is fish, and my password is hunter2abc!")
    learned(turn)
    assert session.model
    sent = scene.models.shaped_requests(session.model.name)[-1]["body"]["messages"]
    given = json.loads(sent[-1]["content"])
    assert "hunter2abc" not in json.dumps(sent)
    assert len(given["entries"]) == 12 and "The shell is bash." in json.dumps(given)
    assert "Put away." not in json.dumps(given) and "Sure." not in json.dumps(sent)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("no JSON at all", Outcome.INVALID_OUTPUT),
        ('{"operations": [{"op"', Outcome.INVALID_OUTPUT),
        ('{"facts": []}', Outcome.INVALID_OUTPUT),
        (proposing(*[SHELL] * 10_000)[:49_000], Outcome.INVALID_OUTPUT),
        (proposing(), Outcome.NO_CANDIDATES),
        (proposing(SHELL | {"evidence": "Sure."}), Outcome.INVALID_EVIDENCE),
        (proposing(SHELL | {"text": "x" * 301}), Outcome.INVALID_EVIDENCE),
        (proposing(SHELL | {"op": "update", "target": "11111111-1111-4111-8111-111111111111"}), Outcome.INVALID_OUTPUT),
        (proposing(SHELL | {"scope": "workspace"}), Outcome.INVALID_OUTPUT),
    ],
)
def test_bad_proposals_write_nothing_and_say_why(  # LEARN-10, LEARN-13, LEARN-17, LEARN-18
    scene: Scene, session: Session, answer: str, outcome: str
) -> None:
    for _ in range(2):
        scene.script_extraction(session, answer)
    learning = learned(turn_of(session))
    assert texts(scene.user) == []
    assert (learning.outcome in (outcome, Outcome.INVALID_OUTPUT)) and learning.outcome != Outcome.UPDATED


def test_one_repair_is_asked_for(scene: Scene, session: Session) -> None:  # LEARN-10
    scene.script_extraction(session, "Here you are!")
    scene.script_extraction(session, proposing(SHELL))
    assert learned(turn_of(session)).outcome == Outcome.UPDATED


def test_an_endpoint_that_hangs_ends_in_a_receipt(scene: Scene, session: Session, settings: Any) -> None:  # LEARN-8
    settings.ADMINCHAT_LEARNING_SECONDS = 1
    scene.script_extraction(session, proposing(SHELL), delay=30)
    assert learned(turn_of(session)).outcome == Outcome.TIMEOUT


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("off", Outcome.OFF),
        ("read_only", Outcome.READ_ONLY),
        ("policy", Outcome.POLICY),
        ("deleted", Outcome.CANCELLED),
        ("left", Outcome.CANCELLED),
        ("deactivated", Outcome.CANCELLED),
        ("old", Outcome.TIMEOUT),
        ("connection", Outcome.LEARN_UNAVAILABLE),
        ("model gone", Outcome.LEARN_UNAVAILABLE),
    ],
)
def test_what_happens_between_turn_and_task_wins(  # ENTRY-2, LEARN-8, LEARN-18
    scene: Scene, session: Session, what: str, outcome: str
) -> None:
    membership = MembershipFactory.create(user=scene.user)
    if what == "left":
        Session.objects.filter(pk=session.pk).update(workspace=membership.workspace)
        session.refresh_from_db()
    turn = turn_of(session)
    match what:
        case "off" | "read_only":
            Session.objects.filter(pk=session.pk).update(memory_mode=what)
        case "policy":
            TenantPolicy.objects.update_or_create(tenant=scene.user.tenant, defaults={"mode_cap": "read_only"})
        case "deleted":
            sessions.delete(session)
        case "left":
            membership.delete()
        case "deactivated":
            User.objects.filter(pk=scene.user.pk).update(is_active=False)
        case "old":
            Learning.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(hours=25))
        case "connection":
            scene.connection.allows_memory = False
            scene.connection.save()
        case "model gone":
            assert session.model
            session.model.enabled = False
            session.model.save()
    assert learned(turn).outcome == outcome
    assert not Entry.objects.filter(book__user=scene.user).exists()


def test_a_change_to_off_settles_what_waits_at_once(scene: Scene, session: Session) -> None:  # ENTRY-2
    turn = turn_of(session)
    session.user, session.memory_mode = scene.user, MemoryMode.OFF
    sessions.configure(session, ["memory_mode"])
    assert Learning.objects.get(pk=turn.pk).outcome == Outcome.OFF


@pytest.mark.parametrize(
    ("text", "outcome", "detail"),
    [
        ("What is a quorum?", Outcome.NOT_TRIGGERED, ""),
        ("Don't remember this: I am leaving.", Outcome.OPT_OUT, ""),
        ("Remember that " + "x" * 4000, Outcome.TOO_LONG, ""),
        ("Forget everything you know about me.", Outcome.NOT_TRIGGERED, jobs.EVERYTHING),
    ],
)
def test_what_needs_no_model_has_its_receipt_with_the_turn(  # LEARN-4, LEARN-6, LEARN-18
    scene: Scene, session: Session, text: str, outcome: str, detail: str
) -> None:
    learning = Learning.objects.get(pk=turn_of(session, text=text).pk)
    assert (learning.outcome, learning.detail, learning.queued_at) == (outcome, detail, None)


def test_regenerating_never_learns_again(scene: Scene, session: Session) -> None:  # LEARN-6
    first = turn_of(session)
    again = ended(session, model=session.model, message=first.message)
    learning = Learning.objects.get(pk=again.pk)
    assert (learning.outcome, learning.detail) == (Outcome.NOT_TRIGGERED, jobs.REPEATED)


@pytest.mark.parametrize("state", [Turn.State.STOPPED, Turn.State.FAILED])
def test_a_stopped_or_failed_reply_still_learns(scene: Scene, session: Session, state: str) -> None:  # LEARN-6
    scene.script_extraction(session, proposing(SHELL))
    turn = TurnFactory.create(
        session=session, message__text=ASKED, memory_mode="learn", state=Turn.State.RUNNING, model=session.model
    )
    turns.finish(turn, turns.Outcome(state=state))
    assert learned(turn).outcome == Outcome.UPDATED


def test_a_pinned_entry_stays(scene: Scene, session: Session) -> None:  # ENTRY-11, LEARN-16
    entry = EntryFactory.create(user=scene.user, text="Uses bash as the shell.", fact_key="shell", pinned=True)
    scene.script_extraction(session, proposing(SHELL))
    assert learned(turn_of(session)).outcome == Outcome.PINNED
    assert selectors.entry(scene.user, entry.pk).text == "Uses bash as the shell."


def test_a_full_book_refuses_and_evicts_nothing(scene: Scene, session: Session, settings: Any) -> None:  # ENTRY-9
    settings.ADMINCHAT_MEMORY_ENTRIES = 1
    EntryFactory.create(user=scene.user, text="The only one.")
    scene.script_extraction(session, proposing(SHELL))
    assert learned(turn_of(session)).outcome == Outcome.CAPACITY
    assert texts(scene.user) == ["The only one."]


def test_an_entry_that_was_changed_meanwhile_stays(  # LEARN-16, CONF-1
    scene: Scene, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = EntryFactory.create(user=scene.user, text="Uses bash as the shell.", fact_key="shell")
    scene.script_extraction(session, proposing(SHELL | {"op": "update", "target": str(entry.pk)}))
    propose = learner.propose

    def and_somebody_edits(*args: Any) -> Any:
        proposal = propose(*args)
        entries.change(scene.user, entry.pk, Content("Uses zsh as the shell."), revision=1, workspace=None)
        return proposal

    monkeypatch.setattr(learner, "propose", and_somebody_edits)
    assert learned(turn_of(session)).outcome == Outcome.REVISION_CONFLICT
    assert texts(scene.user) == ["Uses zsh as the shell."]


def test_mixed_outcomes_show_both_parts(scene: Scene, session: Session) -> None:  # LEARN-17, LEARN-18
    scene.script_extraction(session, proposing(SHELL, operation("Prefers coffee.", "I use fish as my shell")))
    receipt = receipts.of_learning(scene.user, learned(turn_of(session)))
    assert (receipt.reason, len(receipt.items)) == (Outcome.UPDATED, 1)
    assert [(str(sentence), count) for sentence, count in receipt.refused] == [
        ("Left out: your message doesn’t say it.", 1)
    ]


def test_every_outcome_has_its_sentence() -> None:  # LEARN-18
    assert set(receipts.SENTENCES) == set(Outcome.values)


def test_what_was_learned_can_be_undone(scene: Scene, session: Session) -> None:  # LEARN-20
    bash = EntryFactory.create(user=scene.user, text="Uses bash as the shell.", fact_key="shell")
    scene.script_extraction(session, proposing(SHELL | {"op": "update", "target": str(bash.pk)}))
    change = Change.objects.get(pk=learned(turn_of(session)).written[0]["change"])
    history.undo(scene.user, change.pk)
    assert texts(scene.user) == ["Uses bash as the shell."]
    with pytest.raises(Change.DoesNotExist):
        history.undo(scene.user, change.pk)


def test_what_was_forgotten_comes_back_within_a_day(scene: Scene, session: Session, settings: Any) -> None:  # LEARN-20
    entry = EntryFactory.create(user=scene.user, text="Uses bash as the shell.", fact_key="shell")
    forget = SHELL | {"op": "forget", "target": str(entry.pk), "text": "", "evidence": "Forget that I use bash"}
    for _ in range(2):
        scene.script_extraction(session, proposing(forget))
    change = learned(turn_of(session, text="Forget that I use bash as my shell.")).written[0]["change"]
    assert texts(scene.user) == []
    settings.ADMINCHAT_MEMORY_ENTRIES = 0
    with pytest.raises(BookFull):
        history.undo(scene.user, change)
    settings.ADMINCHAT_MEMORY_ENTRIES = 80
    history.undo(scene.user, change)
    assert selectors.entry(scene.user, entry.pk).text == "Uses bash as the shell."
    change = learned(turn_of(session, text="Forget that I use bash as my shell.")).written[0]["change"]
    Change.objects.filter(pk=change).update(erase_at=timezone.now())
    assert sweep().erased_changes == 1
    with pytest.raises(Change.DoesNotExist):
        history.undo(scene.user, change)


def test_an_undo_never_overwrites_a_later_edit(scene: Scene, session: Session) -> None:  # LEARN-20, CONF-1
    scene.script_extraction(session, proposing(SHELL))
    change = learned(turn_of(session)).written[0]["change"]
    entry = selectors.entries(scene.user).get()
    entries.pin(scene.user, entry.pk, True, revision=1, workspace=None)
    with pytest.raises(Outdated):
        history.undo(scene.user, change)


def test_deleting_an_entry_erases_it_from_its_history(scene: Scene, session: Session) -> None:  # HIST-2, SEC-2
    scene.script_extraction(session, proposing(SHELL))
    learned(turn_of(session))
    entry = selectors.entries(scene.user).get()
    entries.delete(scene.user, entry.pk, revision=1)
    change = Change.objects.get(entry_id=entry.pk)
    assert (change.before, change.after, change.evidence) == ("", "", "")


def test_nothing_learned_stands_in_clear_in_the_database(scene: Scene, session: Session) -> None:  # SEC-2
    wishes.ask_first(scene.user, False)
    scene.script_extraction(session, proposing(SHELL))
    learned(turn_of(session))
    wishes.ask_first(scene.user, True)
    scene.script_extraction(session, proposing(operation("Prefers metric units.", "I prefer metric units")))
    learned(turn_of(session, text="I prefer metric units."))
    with connection.cursor() as cursor:
        raw = ""
        for table in ("memory_change", "memory_suggestion", "memory_learning", "memory_entry"):
            cursor.execute(f"SELECT * FROM {table}")
            raw += str(cursor.fetchall())
    assert "fish" not in raw and "metric" not in raw


def test_suggestions_wait_are_accepted_rejected_and_expire(scene: Scene, session: Session) -> None:  # LEARN-23
    TenantPolicy.objects.update_or_create(tenant=scene.user.tenant, defaults={"ask_first": True})
    for number in range(3):
        scene.script_extraction(session, proposing(operation(f"Uses port 80{number}.", f"I use port 80{number}")))
        learning = learned(turn_of(session, text=f"Remember that I use port 80{number}."))
        assert (learning.outcome, learning.suggested) == (Outcome.UPDATED, 1)
    assert texts(scene.user) == []
    first, second, third = [item.suggestion.pk for item in suggestions.listed(scene.user)]
    suggestions.accept(scene.user, first, Content("Uses port 8000."))
    assert suggestions.reject(scene.user, second)
    assert texts(scene.user) == ["Uses port 8000."]
    selectors.suggestions(scene.user).filter(pk=third).update(created_at=timezone.now() - timedelta(days=15))
    assert sweep().expired_suggestions == 1


def test_the_rules_learn_without_a_model(scene: Scene, session: Session) -> None:  # OPS-4, PROMPT-3
    TenantPolicy.objects.update_or_create(tenant=scene.user.tenant, defaults={"extractor": Extractor.RULES})
    learning = learned(turn_of(session, text="请记住，我负责华东区的采购。"))
    assert (learning.outcome, learning.prompt_code, learning.input_tokens) == (Outcome.UPDATED, "rules-1", None)
    assert texts(scene.user) == ["我负责华东区的采购。"]
    assert session.model and scene.models.shaped_requests(session.model.name) == []


def test_a_secret_alone_is_unsafe(scene: Scene, session: Session) -> None:  # LEARN-9, LEARN-14
    TenantPolicy.objects.update_or_create(tenant=scene.user.tenant, defaults={"extractor": Extractor.RULES})
    assert learned(turn_of(session, text="Remember my password is hunter2abc!")).outcome == Outcome.UNSAFE


def test_the_sweep_sends_what_was_left_and_one_tenant_fills_no_queue(  # LEARN-8, OPS-6, REL-3
    scene: Scene, session: Session, settings: Any
) -> None:
    settings.ADMINCHAT_LEARNING_PER_TENANT = 2
    waiting = [turn_of(session) for _ in range(4)]
    mine = Learning.objects.filter(user=scene.user)
    mine.update(queued_at=None, created_at=timezone.now() - timedelta(minutes=1))
    sweep()
    assert mine.filter(queued_at__isnull=False).count() == 2
    assert len(waiting) == 4
    assert len(jobs.delayed(scene.user)) == 4


def test_a_turn_that_kills_its_workers_ends_as_failed(scene: Scene, session: Session) -> None:  # REL-1
    turn = turn_of(session)
    Learning.objects.filter(pk=turn.pk).update(attempts=jobs.ATTEMPTS)
    assert learned(turn).outcome == Outcome.FAILED


def test_an_update_keeps_what_it_does_not_name(scene: Scene, session: Session) -> None:  # LEARN-16, ENTRY-16, ENTRY-28
    ends = timezone.now() + timedelta(days=9)
    entry = EntryFactory.create(
        user=scene.user, text="Uses bash as the shell.", fact_key="shared:1", kind="reference", expires_at=ends
    )
    scene.script_extraction(session, proposing(SHELL | {"op": "update", "target": str(entry.pk)}))
    turn = turn_of(session)
    change = Change.objects.get(pk=learned(turn).written[0]["change"])
    changed = selectors.entry(scene.user, entry.pk)
    assert (changed.text, changed.fact_key, changed.kind, changed.expires_at) == (
        "Uses fish as the shell.",
        "shared:1",
        "reference",
        ends,
    )
    assert (changed.source, changed.message_id) == (Source.LEARNED, turn.message_id)
    history.undo(scene.user, change.pk)
    back = selectors.entry(scene.user, entry.pk)
    assert (back.text, back.source, back.message_id) == ("Uses bash as the shell.", Source.USER, None)


def test_whatever_goes_wrong_ends_in_a_receipt_and_in_no_second_call(  # LEARN-8, LEARN-18
    scene: Scene, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> None:
        raise RuntimeError("secret")

    turn = turn_of(session)
    monkeypatch.setattr(learner, "propose", broken)
    assert learned(turn).outcome == Outcome.FAILED


def test_a_text_that_grows_when_it_is_normalised_takes_nothing_away(scene: Scene, session: Session) -> None:  # ENTRY-8
    long = operation("\u0958" * 212, "I use fish as my shell")
    scene.script_extraction(session, proposing(long, SHELL))
    assert learned(turn_of(session)).outcome == Outcome.UPDATED
    assert texts(scene.user) == ["Uses fish as the shell."]


def test_a_suggestion_gives_way_to_what_happened_since(scene: Scene, session: Session) -> None:  # LEARN-23, CONF-1
    wishes.ask_first(scene.user, True)
    entry = EntryFactory.create(user=scene.user, text="Uses bash as the shell.", fact_key="shell")
    scene.script_extraction(session, proposing(SHELL | {"op": "update", "target": str(entry.pk)}))
    learned(turn_of(session))
    entries.change(scene.user, entry.pk, Content("Uses zsh as the shell."), revision=1, workspace=None)
    with pytest.raises(Outdated):
        suggestions.accept(scene.user, suggestions.listed(scene.user)[0].suggestion.pk)
    for _ in range(2):
        scene.script_extraction(session, proposing(operation("Prefers metric units.", "I prefer metric units")))
        learned(turn_of(session, text="I prefer metric units."))
    _, first, second = [item.suggestion.pk for item in suggestions.listed(scene.user)]
    suggestions.accept(scene.user, first)
    with pytest.raises(AlreadyThere):
        suggestions.accept(scene.user, second)


def test_one_tenants_backlog_keeps_nobody_waiting(scene: Scene, session: Session, settings: Any) -> None:  # OPS-6
    settings.ADMINCHAT_LEARNING_PER_TENANT = 2
    turns_of_one = [turn_of(session) for _ in range(5)]
    other = Scene(scene.site, scene.models)
    theirs = other.session("echo")
    late = turn_of(theirs)
    everything = Learning.objects.filter(pk__in=[turn.pk for turn in (*turns_of_one, late)])
    everything.update(queued_at=None, started_at=None, created_at=timezone.now() - timedelta(minutes=1))
    jobs.sweep()
    assert Learning.objects.get(pk=late.pk).queued_at is not None
    assert everything.filter(queued_at__isnull=False).count() == 3
    other.close()


def test_an_entry_is_pinned_from_the_receipt_after_its_chat_is_gone(scene: Scene, session: Session) -> None:
    scene.script_extraction(session, proposing(SHELL))  # LEARN-20
    turn = turn_of(session)
    change = learned(turn).written[0]["change"]
    session.delete()
    answer = scene.browser().post(f"/memory/receipts/{turn.pk}/act/", {"do": "pin", "change": change})
    assert answer.status_code < 400
    assert selectors.entries(scene.user).get().pinned
