"""What is worked out from texts again and again, kept in this process; of the texts only what is part of that."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class TextCache(Generic[Value]):
    """A bounded cache by the hash of a text under a key that only this process has; the longest unused go first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._key = secrets.token_bytes(32)
        self._values: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, text: str, make: Callable[[], Value]) -> Value:
        """Return what was made from ``text``, making it when it isn't known."""
        name = hashlib.blake2b(text.encode(errors="surrogatepass"), key=self._key, digest_size=16).digest()
        with self._lock:
            if name in self._values:
                self._values.move_to_end(name)
                return self._values[name]
        value = make()
        with self._lock:
            self._values[name] = value
            if len(self._values) > self.size:
                self._values.popitem(last=False)
        return value
