"""Which version a reference stands for (PROMPT-2)."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adminchat.accounts.models import User
from adminchat.connections.models import ChatModel
from adminchat.prompts import selectors, versions
from adminchat.prompts.codes import Reference
from adminchat.prompts.models import PromptVersion, Range, Score
from adminchat.prompts.resolution import NoPrompt, mark_used, resolve
from adminchat.prompts.selectors import Shelf
from adminchat.prompts.versions import Content, Figures
from tests.factories import ChatModelFactory, ConnectionFactory, PromptVersionFactory

pytestmark = pytest.mark.django_db


def _version(user: User, code: str, **fields: object) -> PromptVersion:
    return PromptVersionFactory.create(tenant=user.tenant, code=code, **fields)


def _score(user: User, code: str, value: float) -> None:
    versions.keep_score(user.tenant_id, code, Figures(value, value, 0, 1.0, "A connection", "a-model"))


def test_full_code_is_exact(root: User) -> None:  # PROMPT-2
    for number in (1, 2):
        _version(root, f"2026.12.02.1-T1-A{number}", text=f"Way {number}", temperature=0.5, top_p=0.9, stop=["END"])
    prompt = resolve(root.tenant_id, "2026.12.02.1-T1-A1")
    assert (prompt.text, prompt.temperature, prompt.top_p, prompt.stop) == ("Way 1", 0.5, 0.9, ("END",))


def test_default_is_in_force_until_somebody_decides(root: User, default: PromptVersion) -> None:  # PROMPT-2, PROMPT-3
    own = _version(root, "2026.12.02.1-T1-A1")
    assert resolve(root.tenant_id, "session-title").code == default.code
    _score(root, own.code, 0.4)
    assert resolve(root.tenant_id, "session-title").code == own.code
    _score(root, default.code, 0.5)
    assert resolve(root.tenant_id, "session-title").code == default.code
    versions.activate(root, own, seen=default.code)
    assert resolve(root.tenant_id, "session-title").code == own.code


def test_tactic_picks_the_active_version_else_the_best_scored(root: User, default: PromptVersion) -> None:  # PROMPT-2
    codes = ["2026.12.02.1-T1-A1", "2026.12.02.1-T1.1-A1", "2026.12.02.1-T2-A1", "2026.12.02.1-T2-A2"]
    made = {code: _version(root, code) for code in codes}
    assert resolve(root.tenant_id, "session-title T2").code == codes[3], "the newest where nothing else decides"
    _score(root, codes[2], 0.2)
    assert resolve(root.tenant_id, "session-title T2").code == codes[2]
    versions.activate(root, made[codes[3]], seen=codes[2])
    assert resolve(root.tenant_id, "session-title T2").code == codes[3]
    assert resolve(root.tenant_id, "2026.12.02.1-T1").code == codes[1], "a branch is a part of its tactic"
    assert resolve(root.tenant_id, "session-title T1").code == default.code


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("nothing", "There is no prompt “nothing”."),
        ("", "There is no prompt"),
        ("session-title T7", "There is no prompt “session-title T7”."),
        ("2026.12.02.1-T1-A9", "There is no prompt"),
        ("memory-extraction 2026.12.02.1-T1-A1", "There is no prompt"),
        ("2026.12.02.1-T1-A1", "The model of the prompt 2026.12.02.1-T1-A1 isn’t available any more."),
        ("2026.12.02.1-T1", "No version of the prompt “2026.12.02.1-T1” can be used"),
    ],
)
def test_nothing_usable_is_said_clearly(root: User, reference: str, words: str) -> None:  # PROMPT-2
    _version(root, "2026.12.02.1-T1-A1", chosen_model="Gone · gpt")
    with pytest.raises(NoPrompt, match=words):
        resolve(root.tenant_id, reference)


@pytest.mark.parametrize("change", ["model", "connection", "deleted"])
def test_version_whose_model_cannot_be_asked_is_passed_over(  # PROMPT-2
    root: User, default: PromptVersion, change: str
) -> None:
    model = ChatModelFactory.create(connection=ConnectionFactory.create(tenant=root.tenant))
    fields = Content("With a model", model=model).fields()
    version = _version(root, "2026.12.02.1-T1-A1", **fields)
    versions.activate(root, version, seen=default.code)
    prompt = resolve(root.tenant_id, "session-title")
    assert (prompt.code, prompt.model) == (version.code, model)
    match change:
        case "model":
            ChatModel.objects.update(enabled=False)
        case "connection":
            type(model.connection).objects.update(enabled=False)
        case "deleted":
            model.delete()
    assert resolve(root.tenant_id, "session-title").code == default.code
    assert not selectors.version(root.tenant_id, version.code).is_usable, "it is not taken for one without a model"


def test_prompts_of_another_tenant_are_nobody_elses(root: User, dave: User, default: PromptVersion) -> None:  # SEC-1
    version = _version(root, "2026.12.02.1-T1-A1")
    versions.activate(root, version, seen=default.code)
    with pytest.raises(NoPrompt):
        resolve(dave.tenant_id, version.code)
    assert resolve(dave.tenant_id, "session-title").code == default.code


def test_what_is_resolved_never_changes_again(root: User) -> None:  # PROMPT-1
    version = _version(root, "2026.12.02.1-T1-A1", text="Before")
    versions.change(root, version, Content("After"))
    assert resolve(root.tenant_id, version.code).text == "After"
    with pytest.raises(versions.InUse):
        versions.change(root, version, Content("Too late"))
    with pytest.raises(versions.InUse):
        versions.delete(root, version)
    assert resolve(root.tenant_id, version.code).text == "After"


def test_change_between_reading_and_using_is_what_is_used(root: User) -> None:  # PROMPT-1
    version = _version(root, "2026.12.02.1-T1-A1", text="Before")
    read = selectors.version(root.tenant_id, version.code)
    versions.change(root, version, Content("After"))
    assert mark_used(read).text == "After"
    other = _version(root, "2026.12.02.1-T1-A2")
    read = selectors.version(root.tenant_id, other.code)
    versions.delete(root, other)
    with pytest.raises(NoPrompt):
        mark_used(read)


VERSIONS = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.none() | st.floats(0, 1), st.booleans()),
    unique_by=lambda each: each[:2],
    min_size=1,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VERSIONS, st.data())
def test_choice_keeps_its_order(
    made: list[tuple[int, int, float | None, bool]], data: st.DataObject
) -> None:  # PROMPT-2
    found = []
    for tactic, aiming, score, usable in made:
        version = PromptVersion(code=f"2026.12.02.1-T{tactic}-A{aiming}", chosen_model="" if usable else "Gone")
        version.score = None if score is None else Score(value=score)
        found.append(version)
    active = data.draw(st.sampled_from(["", *(each.code for each in found)]))
    tactic = data.draw(st.sampled_from([(), (1,), (2,)]))
    chosen = Shelf(Range.SESSION_TITLE, found, active).best(Reference("session-title", tactic=tactic))
    fitting = [each for each in found if each.is_usable and each.parsed_code.is_of(tactic)]
    if not fitting:
        assert chosen is None
    elif any(each.code == active for each in fitting):
        assert chosen and chosen.code == active
    else:
        assert chosen in fitting
        scores = [each.score.value for each in fitting if each.score]
        assert not scores or (chosen and chosen.score and chosen.score.value == max(scores))


def test_shelves_cost_the_same_however_much_is_on_them(  # PERF-10
    root: User, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    for number in range(5):
        _version(root, f"2026.12.02.1-T1-A{number + 1}", author=root)
    with django_assert_num_queries(3):  # type: ignore[operator]
        selectors.shelves(root.tenant_id)


def test_score_is_the_mean_that_punishes_a_weak_side() -> None:  # PROMPT-4
    values = [Figures(p, r, 0, 1.0, "A", "b").value for p, r in ((1.0, 1.0), (1.0, 0.5), (1.0, 0.0), (None, None))]
    assert values[0] == 1.0
    assert all(better > worse or worse == 0 for better, worse in pairwise(values))
