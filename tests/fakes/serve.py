"""Running the fake model endpoint: `python -m tests.fakes.serve --port N`, or `FakeServer` in a thread of a test."""

import argparse
import socket
import threading
import time
from types import TracebackType
from typing import Any, Self

import uvicorn

from tests.fakes.app import FakeEndpoint, Record
from tests.fakes.replies import Reply


def _config(app: FakeEndpoint, **more: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        lifespan="off",
        timeout_keep_alive=75,
        ws="none",
        **more,
    )


class FakeServer:
    """A context manager: the endpoint on a free local port, in a thread. `url` is an OpenAI base URL's start."""

    def __init__(self) -> None:
        self.app = FakeEndpoint()
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._server = uvicorn.Server(_config(self.app, timeout_graceful_shutdown=1))
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self.close()

    def close(self) -> None:
        """Give the address back; for one that was never started."""
        self._socket.close()

    def enqueue(self, *replies: Reply) -> None:
        """Let the next requests to a model get exactly these."""
        self.app.script.extend(replies)

    def requests(self, model: str | None = None) -> list[Record]:
        """Return what arrived so far, oldest first."""
        return [record for record in self.app.records if model in (None, record.model)]

    def clear(self) -> None:
        """Forget requests and replies."""
        self.app.clear()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    arguments = parser.parse_args()
    uvicorn.Server(_config(FakeEndpoint(), host=arguments.host, port=arguments.port)).run()


if __name__ == "__main__":
    main()
