"""The splitter of server-sent events against a plain reading of the standard."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adminchat.lib.sse import EventSplitter, EventTooLargeError, encode


def read_plainly(stream: bytes) -> list[bytes]:
    """The standard's algorithm over a whole stream, line by line, without a thought for speed."""
    stream = stream.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    events: list[bytes] = []
    data: list[bytes] = []
    for line in stream.split(b"\n")[:-1]:
        if not line:
            if data:
                events.append(b"\n".join(data))
            data = []
            continue
        field, _, value = line.partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
    return events


def split(stream: bytes, cuts: list[int]) -> list[bytes]:
    splitter = EventSplitter()
    edges = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    return [event for start, end in pairwise(edges) for event in splitter.feed(stream[start:end])]


PIECES = st.sampled_from(
    [b"data:", b"data: ", b"data", b"datax: y", b"event: message", b": comment", b"id: 7", b"\n", b"\r", b"\r\n"]
    + [b"\n\n", b"\r\n\r\n", b"{}", b" ", b":", "好🙂".encode(), b"\xef\xbb\xbf", b"\xff"]
)


@given(st.lists(PIECES, max_size=40).map(b"".join), st.lists(st.integers(0, 400), max_size=12))
@example(b"data: a\r\n\r\ndata: b\r\n\r\n", [8, 9, 10])
@example(b"\xef\xbb\xbfdata: a\n\n", [1, 2])
@example(b"\n\ndata: a\n\n\n\ndata: b\n\n", [])
def test_any_cut_gives_what_the_standard_says(stream: bytes, cuts: list[int]) -> None:  # CHAT-6, REL-5
    assert split(stream, cuts) == read_plainly(stream)


@given(st.lists(PIECES, max_size=40).map(b"".join))
def test_single_bytes_give_what_one_piece_gives(stream: bytes) -> None:  # CHAT-6
    splitter = EventSplitter()
    bytewise = [event for byte in stream for event in splitter.feed(bytes([byte]))]
    assert bytewise == EventSplitter().feed(stream)


def test_character_cut_between_chunks_arrives_whole() -> None:  # CHAT-6
    stream = 'data: {"t":"你好🙂"}\n\n'.encode()
    for cut in range(len(stream)):
        assert split(stream, [cut]) == [stream[6:-2]]


def test_several_data_lines_are_one_event() -> None:  # CHAT-6
    assert EventSplitter().feed(b"event: x\ndata: a\n: note\ndata: b\n\n") == [b"a\nb"]


def test_flush_gives_the_event_without_a_last_blank_line() -> None:  # CHAT-17
    splitter = EventSplitter()
    assert splitter.feed(b"data: a\n\ndata: b") == [b"a"]
    assert splitter.flush() == [b"b"]
    assert splitter.flush() == []


@pytest.mark.parametrize("size", [1, 7, 4096], ids=str)
def test_endless_event_is_refused(size: int) -> None:  # REL-5
    splitter = EventSplitter(max_event=10_000)
    with pytest.raises(EventTooLargeError):
        for _ in range(20_000):
            splitter.feed(b"x" * size)


def test_too_large_event_in_one_chunk_is_refused() -> None:  # REL-5
    with pytest.raises(EventTooLargeError):
        EventSplitter(max_event=100).feed(b"data: " + b"x" * 200 + b"\n\n")


@given(st.text(max_size=200))
def test_what_is_sent_can_be_read_back(data: str) -> None:  # CHAT-6, SEC-3
    splitter = EventSplitter()
    [received] = splitter.feed(encode("delta", data).encode()) or [b""]
    assert received.decode() == data.replace("\r\n", "\n").replace("\r", "\n")
