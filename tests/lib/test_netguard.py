"""Addresses that a connection may and may not have (CHAT-20, SEC-6)."""

import asyncio
import socket
from typing import Any

import aiohttp
import pytest

from adminchat.lib.netguard import AddressRefused, Refusal, check_address, check_url, guarded_socket

ALWAYS_REFUSED = [
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "0.0.0.0",
    "0.1.2.3",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "fe80::1",
    "fe80::1%1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "ff02::1",
    "::",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::169.254.169.254",
    "2002:a9fe:a9fe::1",
    "64:ff9b::a9fe:a9fe",
    "2001:0:a9fe:a9fe::1",
    "2001:db8::5efe:a9fe:a9fe",
    "4000::1",
]
PRIVATE = [
    "127.0.0.1",
    "127.8.8.8",
    "10.0.0.1",
    "172.16.3.4",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "::1",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "2002:7f00:1::",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",  # Teredo for 127.0.0.1
]
PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
EVERYTHING = ("0.0.0.0/0", "::/0", "example.com")


def names(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every host name resolve to these addresses."""

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


@pytest.mark.parametrize("address", ALWAYS_REFUSED)
def test_metadata_and_link_local_are_refused_whatever_is_allowed(address: str) -> None:  # CHAT-20, SEC-6
    with pytest.raises(AddressRefused) as caught:
        check_address(address, "example.com", EVERYTHING)
    assert caught.value.reason is Refusal.FORBIDDEN


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_need_to_be_named(address: str) -> None:  # CHAT-20
    with pytest.raises(AddressRefused) as caught:
        check_address(address, "other.example", ("example.com", "203.0.113.9"))
    assert caught.value.reason is Refusal.PRIVATE
    check_address(address, "Example.com.", ("example.com",))


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_pass(address: str) -> None:  # CHAT-20
    check_address(address, "example.com")


@pytest.mark.parametrize(
    "entry", ["localhost", "LOCALHOST.", "127.0.0.1", "127.0.0.0/8", "127.0.0.5/8"], ids=lambda entry: entry
)
def test_host_address_or_network_can_be_allowed(entry: str) -> None:  # CHAT-20
    check_address("127.0.0.1", "localhost", (entry,))
    check_address("::ffff:127.0.0.1", "localhost", (entry,))


@pytest.mark.parametrize("entry", ["localhos", "ocalhost", "127.0.0.2", "126.0.0.0/8", "", "*", "not/a/net"])
def test_near_misses_allow_nothing(entry: str) -> None:  # CHAT-20
    with pytest.raises(AddressRefused):
        check_address("127.0.0.1", "localhost", (entry,))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com/", Refusal.NOT_HTTP),
        ("file:///etc/passwd", Refusal.NOT_HTTP),
        ("javascript:alert(1)", Refusal.NOT_HTTP),
        ("example.com", Refusal.NOT_HTTP),
        ("http://user:pass@example.com/", Refusal.CREDENTIALS),
        ("http://@example.com/", Refusal.CREDENTIALS),
        ("http://", Refusal.MALFORMED),
        ("http:///v1", Refusal.MALFORMED),
        ("http://exa mple.com/", Refusal.MALFORMED),
        ("http://example.com\\@evil.example/", Refusal.MALFORMED),
        ("http://example.com:99999/", Refusal.MALFORMED),
        ("http://[::1/", Refusal.MALFORMED),
        ("http://2130706433/", Refusal.MALFORMED),
        ("http://0x7f000001/", Refusal.MALFORMED),
        ("http://0x7f.1/", Refusal.MALFORMED),
        ("http://0177.0.0.1/", Refusal.MALFORMED),
        ("http://127.1/", Refusal.MALFORMED),
        ("http://１２７.0.0.1/", Refusal.PRIVATE),
        ("http://127.0.0.1./", Refusal.PRIVATE),
        ("http://[::ffff:127.0.0.1]/", Refusal.PRIVATE),
        ("http://[fe80::1%25eth0]/", Refusal.FORBIDDEN),
        ("http://metadata.google.internal./computeMetadata/v1/", Refusal.FORBIDDEN),
        ("http://169.254.169.254/latest/meta-data", Refusal.FORBIDDEN),
        ("http://example.com/" + "a" * 3000, Refusal.MALFORMED),
    ],
)
def test_bad_base_urls_are_refused_for_the_right_reason(url: str, reason: Refusal) -> None:  # CHAT-20, SEC-6
    with pytest.raises(AddressRefused) as caught:
        check_url(url)
    assert caught.value.reason is reason


def test_name_is_judged_by_every_address_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:  # SEC-6
    names(monkeypatch, "93.184.216.34", "::ffff:169.254.169.254")
    with pytest.raises(AddressRefused):
        check_url("https://models.example/v1", EVERYTHING)
    names(monkeypatch, "93.184.216.34")
    check_url("https://models.example/v1")


def test_name_that_does_not_resolve_can_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:  # CHAT-20
    def fail(*args: Any, **kwargs: Any) -> list[Any]:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    check_url("https://models.example/v1")


class Rebinding(aiohttp.abc.AbstractResolver):
    """A name server that answers with one address, whatever it said before."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[aiohttp.abc.ResolveResult]:
        return [
            {"hostname": host, "host": self.address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
        ]

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("host", ["models.example", "127.0.0.1"], ids=["name", "literal"])
def test_connected_address_decides_not_the_resolved_one(host: str) -> None:  # SEC-6
    async def connect(allowed: tuple[str, ...]) -> BaseException | None:
        arrived = asyncio.Event()

        def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            arrived.set()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        connector = aiohttp.TCPConnector(resolver=Rebinding("127.0.0.1"), socket_factory=guarded_socket(host, allowed))
        try:
            async with server, aiohttp.ClientSession(connector=connector, trust_env=False) as session:
                try:
                    await session.get(f"http://{host}:{port}/")
                except aiohttp.ClientConnectorError as error:
                    assert not arrived.is_set()
                    return error.__cause__
                except aiohttp.ServerDisconnectedError:
                    assert arrived.is_set()
        finally:
            await connector.close()
        return None

    refused = asyncio.run(connect(()))
    assert isinstance(refused, AddressRefused)
    assert asyncio.run(connect(("127.0.0.0/8",))) is None
