"""Which topic entries a message calls for, by the words that it shares with them."""

import random
import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.relevance import milliseconds
from memory.relevance import Document, Match, rank

BOOK = {
    "receipts": ("expense reports", "Scan all receipts into one PDF, sorted by date."),
    "deadline": ("expense reports", "Reports close on the 25th; later ones are paid a month after."),
    "mileage": ("expense reports", "Mileage is claimed on form FIN-7."),
    "gateway": ("VPN access", "Remote staff connect through vpn-gw2; the older vpn-gw1 serves the scanners."),
    "rotation": ("Service accounts", "Keys are rotated every 60 days by the job rotate_keys."),
    "renderer": ("Service accounts", "InvoiceRenderer needs the font package of db/fonts/install.sh."),
    "database": ("PostgreSQL", "The primary runs version 16.4.2 and listens on port 54329."),
    "crane": ("office move", "The safe has to go up by crane."),
    "报销": ("报销流程", "报销的流程是先找主管签字，再把票据交给财务。"),
    "机房": ("机房巡检", "机房每天巡检两次，温度保持在二十四度以下。"),
    "印章": ("印章管理", "公章外带必须两个人同行，当天归还。"),
    "合同": ("合同审批", "金额五十万元以上的合同由法务审批。"),
}
DOCUMENTS = [Document(name, text, topic) for name, (topic, text) in BOOK.items()]


@pytest.fixture(scope="module", autouse=True)
def _lists_are_read() -> None:
    rank("words 词", DOCUMENTS)


def found(question: str) -> list[str]:
    return [match.id for match in rank(question, DOCUMENTS)]


def words(question: str, name: str) -> tuple[str, ...]:
    return next(match.words for match in rank(question, DOCUMENTS) if match.id == name)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How should receipts be scanned?", "receipts"),  # stems
        ("SCANNED RECEIPTS", "receipts"),  # case
        ("receipts’ scanning", "receipts"),
        ("报销流程", "报销"),
        ("报销的流程怎么走？", "报销"),
        ("報銷流程", "报销"),  # traditional script finds simplified
        ("機房的溫度", "机房"),
        ("请帮我看看 receipts 应该怎么 scan", "receipts"),
        ("rotate_keys", "rotation"),
        ("what does the rotate keys job do?", "rotation"),
        ("Where is invoiceRenderer used?", "renderer"),
        ("the invoice renderer", "renderer"),
        ("What is in db/fonts/install.sh?", "renderer"),
        ("install.sh", "renderer"),
        ("vpn-gw1 is down", "gateway"),
        ("ＶＰＮ－ＧＷ１", "gateway"),  # full width
        ("port ５４３２９", "database"),
        ("Are we on 16.4.2?", "database"),
        ("What goes on fin-7?", "mileage"),
        ("超过500000元的合同谁审批？", "合同"),  # numerals in either form
    ],
)
def test_the_entry_that_is_meant_comes_first(question: str, name: str) -> None:  # ENTRY-17
    assert found(question)[0] == name


def test_simplified_script_finds_traditional() -> None:  # ENTRY-17
    stored = Document("a", "報銷的單據要先找主管簽字。", "報銷流程")
    assert rank("报销单据找谁签字？", [*DOCUMENTS, stored])[0].id == "a"


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?!",
        "the of and",
        "What is a good recipe for lentil soup?",
        "Solve 3x + 7 = 22.",
        "Name 24 cities with two rivers.",  # bare numbers
        "How far does a common crane migrate in autumn?",  # one word in another sense
        "红烧茄子怎么做才不油腻？",
        "二十四节气是怎么来的？",  # a bare number
        "5月24日是星期几？",
        "给我讲讲李白和杜甫的友谊。",
    ],
)
def test_without_a_link_nothing_is_found(question: str) -> None:  # ENTRY-15, ENTRY-17
    assert found(question) == []


def test_a_topic_by_its_name_brings_all_of_it() -> None:  # ENTRY-17
    assert set(found("Explain our expense reports to an intern.")) == {"receipts", "deadline", "mileage"}
    assert set(found("Anything on service accounts?")) == {"rotation", "renderer"}
    assert found("postgresql 相关的都列一下")[0] == "database"
    assert found("印章的管理有哪些规定？")[0] == "印章"


def test_an_everyday_word_as_a_topic_calls_for_little() -> None:  # ENTRY-17
    documents = [Document(str(number), f"Fact number {number}.", "work") for number in range(4)]
    assert rank("How does a heat pump work?", documents) == []
    assert len(rank("Work?", documents)) == 4


def test_a_topic_with_a_question_about_one_entry_brings_that_one() -> None:  # ENTRY-17
    assert found("On which form is mileage claimed in expense reports?") == ["mileage"]


def test_one_clause_of_a_long_message_is_enough() -> None:  # ENTRY-17
    message = (
        "My brother keeps bees, and last weekend he showed me the little notebook in which he writes what to do when a"
        " colony swarms, when a queen is lost, or when the wasps come. I want to write a story about it, with a friendly"
        " voice and without buzzwords. In the middle I need one thing from work: how receipts have to be scanned and"
        " sorted. Then finish with the bees again, please, in about five hundred words."
    )
    assert found(message) == ["receipts"]


def test_a_long_message_about_something_else_brings_nothing() -> None:  # ENTRY-17
    message = (
        "I've decided to learn woodworking this winter, mostly because I'm tired of looking at screens, and I bought a"
        " plane, two chisels and far too much oak. The book says to start with a box, and the first chapter is a long"
        " argument about whether one should use ready-made joints or cut each one by hand. Could you write a short, light"
        " piece that compares the two, and then give me a list of six boxes of growing difficulty that a beginner can"
        " finish by spring?"
    )
    assert found(message) == []


@pytest.mark.parametrize(
    ("question", "name", "expected"),
    [
        ("How should Receipts be SCANNED?", "receipts", ("Receipts", "SCANNED")),
        ("報銷流程", "报销", ("報銷", "流程")),
        ("Is vpn-gw1 down?", "gateway", ("vpn-gw1",)),
        ("port 54329", "database", ("port", "54329")),
    ],
)
def test_the_matching_words_are_those_of_the_message(
    question: str, name: str, expected: tuple[str, ...]
) -> None:  # ENTRY-22
    assert words(question, name) == expected


def test_a_more_specific_match_comes_before_a_vague_one() -> None:  # ENTRY-17
    exact = rank("vpn-gw1", DOCUMENTS)
    assert [match.id for match in exact] == ["gateway"]
    both = rank("报销的票据给财务，合同谁审批？", DOCUMENTS)
    assert {match.id for match in both} == {"报销", "合同"}
    assert [match.score for match in both] == sorted((match.score for match in both), reverse=True)


def test_a_vague_match_gives_way_to_an_exact_one() -> None:  # ENTRY-17
    exact = Document("exact", "The quarantine of tainted batches lasts nine days.", "cold store")
    vague = Document("vague", "Batches are weighed.", "scales")
    question = "How long is the quarantine of tainted batches?"
    assert [match.id for match in rank("How are batches weighed?", [exact, vague])] == ["vague"]
    assert [match.id for match in rank("batches", [exact, vague])] == ["exact", "vague"]
    assert [match.id for match in rank(question, [exact, vague])] == ["exact"]


@pytest.mark.parametrize("filler", ["Bees and more bees. ", "蜜蜂采蜜。", "a-", "x" * 100, "\n"])
def test_what_is_asked_at_either_end_of_a_huge_message_counts(filler: str) -> None:  # ENTRY-17, SEC-7
    pasted = filler * (100_000 // len(filler))
    for message in (f"How should receipts be scanned?\n{pasted}", f"{pasted}\nHow should receipts be scanned?"):
        assert found(message) == ["receipts"]
    assert milliseconds(partial(found, pasted)) < 5 * milliseconds(partial(found, pasted[:10_000])) + 5  # bounded


texts = st.text(st.sampled_from("receipts 报销 vpn-gw1 crane 24 , . 。\n\u0301ａ😀"), max_size=60) | st.text(
    max_size=80
)


@given(question=texts, seed=st.integers())
def test_the_same_book_and_question_give_the_same_whatever_the_order(question: str, seed: int) -> None:  # ENTRY-17
    shuffled = list(DOCUMENTS)
    random.Random(seed).shuffle(shuffled)
    assert rank(question, shuffled) == rank(question, DOCUMENTS)


@given(question=texts, text=texts, topic=texts)
def test_any_text_can_be_ranked(question: str, text: str, topic: str) -> None:  # ENTRY-17, SEC-7
    matches = rank(question, [*DOCUMENTS, Document("any", text, topic)])
    assert all(match.words for match in matches)
    assert len({match.id for match in matches}) == len(matches)


def test_another_process_finds_the_same() -> None:  # ENTRY-17
    question = "报销的票据给财务，合同谁审批？ receipts in one PDF, and rotate_keys"
    code = (
        "import sys, tests.memory.test_relevance as t;"
        "print([(match.id, match.score.hex()) for match in t.rank(sys.argv[1], t.DOCUMENTS)])"
    )
    here = str([(match.id, match.score.hex()) for match in rank(question, DOCUMENTS)])
    for seed in "1", "2":
        run = subprocess.run(
            [sys.executable, "-c", code, question],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ".", "PYTHONUTF8": "1"},
            capture_output=True,
            check=True,
            text=True,
        )
        assert run.stdout.strip() == here


def test_an_everyday_word_counts_less_than_a_rare_one() -> None:  # ENTRY-17
    documents = [Document("a", "The people meet on Monday.", "x1"), Document("b", "The quarantine ends.", "x2")]

    def score(question: str) -> float:
        matches: list[Match] = rank(question, documents)
        return matches[0].score if matches else 0.0

    assert score("people") < score("quarantine")
