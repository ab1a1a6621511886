"""When known vulnerabilities stop the delivery (SEC-8)."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.servers import ROOT


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages})


def finding(*mended_in: str) -> dict[str, Any]:
    return {"name": "lib", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": mended_in}]}


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (report(finding("2")), 1, "lib 1: CVE-1, mended in 2"),
        (report(finding()), 0, "lib 1: CVE-1, no version mends it yet"),
        (report({"name": "lib", "skip_reason": "unknown"}), 0, "NOT AUDITED: 1 packages"),
        ("", 0, "NOT AUDITED: the list of vulnerabilities could not be reached."),
    ],
    ids=["mended", "not mended", "unknown", "no list"],
)
def test_only_what_a_newer_version_mends_stops_it(given: str, code: int, said: str) -> None:  # SEC-8
    command = [sys.executable, ".ci/audit.py"]
    done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert said in done.stdout
