"""What browsers load: few, small, checked files, and pages without inline code."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
STATIC, TEMPLATES = ROOT / "static", ROOT / "templates"
PAGES = sorted(TEMPLATES.rglob("*.html"))


def test_icons_are_the_ones_whose_checksums_are_kept():  # SEC-8
    sums = (STATIC / "icons" / "SHA256SUMS").read_text().splitlines()
    kept = {name: digest for digest, name in (line.split("  ") for line in sums)}
    assert set(kept) == {"LICENSE", "lucide.svg"}
    for name, digest in kept.items():
        assert hashlib.sha256((STATIC / "icons" / name).read_bytes()).hexdigest() == digest, name


def test_sprite_has_every_icon_that_a_template_names():
    text = "\n".join(page.read_text() for page in PAGES)
    named = set(re.findall(r'(?:elements/icon\.html" with name|\bicon)="([\w-]+)"', text))
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (STATIC / "icons" / "lucide.svg").read_text()))
    assert named
    assert named <= drawn
    assert drawn == set((STATIC / "icons" / "icons.txt").read_text().split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TEMPLATES)))
def test_template_has_no_inline_code(page: Path):  # SEC-3
    text = page.read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|\shx-on|javascript:|hx-vals='js", text)


def test_own_scripts_and_style_sheets_stay_small():  # PERF-9
    scripts, sheets = sorted((STATIC / "js").glob("*.js")), sorted((STATIC / "css").glob("*.css"))
    assert sum(len(gzip.compress(path.read_bytes())) for path in scripts) <= 16_000  # bytes
    assert len(sheets) <= 6
    assert sum(len(gzip.compress(path.read_bytes())) for path in sheets) <= 30_000  # bytes


def test_every_script_module_is_imported():
    scripts = {path.name: path.read_text() for path in (STATIC / "js").glob("*.js")}
    imported = {name for text in scripts.values() for name in re.findall(r'import [^"]*"\./([\w.]+)"', text)}
    assert set(scripts) == imported | {"app.js"}
