"""supervisord, which a signal wakes at once: ``python -m adminchat.supervisord --nodaemon --configuration FILE``."""

from typing import Any

from supervisor import options, supervisord

from adminchat.lib import wakeup


class Waker:
    """Looks to supervisord like one of the sockets that it polls."""

    def __init__(self) -> None:
        self.descriptor = wakeup.pipe()

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def handle_read_event(self) -> None:
        wakeup.drain(self.descriptor)


class Options(options.ServerOptions):
    def __init__(self) -> None:
        super().__init__()
        self._waker = Waker()

    def get_socket_map(self) -> dict[int, Any]:
        return {**super().get_socket_map(), self._waker.descriptor: self._waker}


if __name__ == "__main__":
    supervisord.ServerOptions = Options
    supervisord.main()
