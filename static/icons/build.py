"""Makes ``lucide.svg`` from the icons of the npm package ``lucide-static`` that the templates use. See README.md."""

import hashlib
import re
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
SYMBOL = '<symbol id="{name}" viewBox="0 0 24 24">{shapes}</symbol>'
SPRITE = '<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


def shapes_of(svg: str) -> str:
    """Return what stands inside the ``<svg>`` element, on one line."""
    inside = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    inside = inside[inside.index(">") + 1 : inside.rindex("</svg>")]
    return re.sub(r"\s+", " ", inside).replace(" />", "/>").replace("> <", "><").strip()


def build(package: Path) -> None:
    """Write the sprite, the licence and their checksums from the downloaded ``package``."""
    icons = (HERE / "icons.txt").read_text().split()
    with tarfile.open(package) as archive:

        def read(name: str) -> str:
            member = archive.extractfile(f"package/{name}")
            if member is None:
                raise SystemExit(f"{name} is not in {package.name}.")
            return member.read().decode()

        symbols = [SYMBOL.format(name=name, shapes=shapes_of(read(f"icons/{name}.svg"))) for name in icons]
        (HERE / "lucide.svg").write_text(SPRITE.format(symbols="\n".join(symbols)))
        (HERE / "LICENSE").write_text(read("LICENSE"))
    sums = [f"{hashlib.sha256((HERE / name).read_bytes()).hexdigest()}  {name}\n" for name in ("LICENSE", "lucide.svg")]
    (HERE / "SHA256SUMS").write_text("".join(sums))


if __name__ == "__main__":
    build(Path(sys.argv[1]))
