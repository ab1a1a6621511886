"""Keeping user-typed addresses away from what only this machine or its cloud can reach (CHAT-20, SEC-6).

Two gates share one judgement: `check_url` when an address is saved, for a friendly answer, and `guarded_socket` when
a connection is made, for safety: it sees the numeric address that is really about to be connected, so that a name
that resolves to something else by then (DNS rebinding) gains nothing.
"""

import re
import socket
import unicodedata
from collections.abc import Callable, Sequence
from enum import IntEnum, StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
AddressInfo = tuple[int, int, int, str, tuple[Any, ...]]

MAX_URL = 2048  # characters


class Refusal(StrEnum):
    """Why an address is refused, for the sentence that a form shows."""

    NOT_HTTP = "not_http"
    CREDENTIALS = "credentials"
    MALFORMED = "malformed"
    FORBIDDEN = "forbidden"  # whatever the settings say
    PRIVATE = "private"  # unless ADMINCHAT_ALLOWED_PRIVATE_HOSTS names it


class AddressRefused(OSError):  # an OSError, so that a connector tries the next address
    """The address must not be contacted. `str()` names the reason only."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.value)
        self.reason = reason


class _Reach(IntEnum):
    PUBLIC = 0
    PRIVATE = 1
    FORBIDDEN = 2


_METADATA_NAMES = frozenset(
    {"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"}
)
# Besides link-local, where most of them live: Alibaba, Oracle, Azure's wire server, Amazon and Google over IPv6.
_METADATA = frozenset(
    ip_address(text) for text in ("100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254")
)
_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_NAT64 = IPv6Network("64:ff9b::/96")
_NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")
_COMPATIBLE = IPv6Network("::/96")
_RESERVED_GLOBAL = (IPv6Network("2000::/3"), IPv6Network("fc00::/7"), IPv6Network("fec0::/10"))


def check_url(url: str, allowed: Sequence[str] = ()) -> None:
    """Raise AddressRefused unless `url` may be saved as a base URL; `allowed` as in ADMINCHAT_ALLOWED_PRIVATE_HOSTS.

    Resolves the host's name, so it blocks for as long as the resolver does. A name that does not resolve now passes:
    an installation may be set up offline, and the gate at connect time decides (CHAT-20).
    """
    if len(url) > MAX_URL or re.search(r"[\s\\\x00-\x20\x7f]", url):
        raise AddressRefused(Refusal.MALFORMED)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused(Refusal.MALFORMED) from None
    if parts.scheme not in ("http", "https"):
        raise AddressRefused(Refusal.NOT_HTTP)
    if "@" in parts.netloc:
        raise AddressRefused(Refusal.CREDENTIALS)
    host = _plain_host(parts.hostname or "")
    if not host or port == 0:
        raise AddressRefused(Refusal.MALFORMED)
    if host in _METADATA_NAMES:
        raise AddressRefused(Refusal.FORBIDDEN)
    for address in _addresses(host, port or 443):
        check_address(address, host, allowed)


def check_address(address: str, host: str, allowed: Sequence[str] = ()) -> None:
    """Raise AddressRefused unless the numeric `address`, reached by the name `host`, may be connected."""
    try:
        parsed = ip_address(address)
    except ValueError:
        raise AddressRefused(Refusal.MALFORMED) from None
    meant = (parsed, *_embedded(parsed))
    reach = max(_reach(one) for one in meant)
    if reach is _Reach.FORBIDDEN:
        raise AddressRefused(Refusal.FORBIDDEN)
    if reach is _Reach.PRIVATE and not _is_allowed(meant, _plain_host(host), allowed):
        raise AddressRefused(Refusal.PRIVATE)


def guarded_socket(host: str, allowed: Sequence[str] = ()) -> Callable[[AddressInfo], socket.socket]:
    """Return a socket factory for aiohttp's connector that checks each address as it is about to be connected.

    The factory raises AddressRefused.
    """

    def make(info: AddressInfo) -> socket.socket:
        family, kind, protocol, _, where = info
        check_address(str(where[0]), host, allowed)
        return socket.socket(family, kind, protocol)

    return make


def _plain_host(host: str) -> str:
    return unicodedata.normalize("NFKC", host).lower().removesuffix(".")


def _addresses(host: str, port: int) -> list[str]:
    """The numeric addresses behind a host. Numeric forms other than four decimals (0x7f.1, 2130706433) are refused."""
    try:
        return [str(ip_address(host))]
    except ValueError:
        last = host.rpartition(".")[2]
        if ":" in host or re.fullmatch(r"[0-9]+|0x[0-9a-f]*", last):
            raise AddressRefused(Refusal.MALFORMED) from None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    except UnicodeError:
        raise AddressRefused(Refusal.MALFORMED) from None
    return [str(info[4][0]) for info in found]


def _embedded(address: Address) -> tuple[Address, ...]:
    """The IPv4 addresses that an IPv6 form stands for: mapped, compatible, 6to4, Teredo, NAT64, ISATAP."""
    if isinstance(address, IPv4Address):
        return ()
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address.sixtofour is not None:
        return (address.sixtofour,)
    if address.teredo is not None:
        return address.teredo
    isatap = (int(address) >> 32) & 0xFCFFFFFF == 0x00005EFE
    if address in _NAT64 or isatap or (address in _COMPATIBLE and int(address) > 1):
        return (last,)
    return ()


def _reach(address: Address) -> _Reach:
    if address in _METADATA or address.is_link_local or address.is_multicast or address.is_unspecified:
        return _Reach.FORBIDDEN
    if isinstance(address, IPv4Address):
        if address.is_reserved or address in _THIS_NETWORK:
            return _Reach.FORBIDDEN
        return _Reach.PUBLIC if address.is_global else _Reach.PRIVATE
    if address.is_loopback or address in _NAT64_LOCAL:
        return _Reach.PRIVATE
    if _embedded(address):
        return _Reach.PUBLIC  # what it stands for decides
    if not any(address in network for network in _RESERVED_GLOBAL):
        return _Reach.FORBIDDEN
    return _Reach.PUBLIC if address.is_global and not address.is_site_local else _Reach.PRIVATE


def _is_allowed(meant: Sequence[Address], host: str, allowed: Sequence[str]) -> bool:
    for entry in allowed:
        entry = _plain_host(entry.strip())
        if entry == host:
            return True
        try:
            network = ip_network(entry.strip("[]"), strict=False)
        except ValueError:
            continue
        if any(address.version == network.version and address in network for address in meant):
            return True
    return False
