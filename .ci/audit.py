"""Reads pip-audit's report from the standard input: fails for what a newer version mends, and names the rest."""

import json
import sys


def main() -> int:
    try:
        packages = json.load(sys.stdin)["dependencies"]
    except ValueError:
        print("NOT AUDITED: the list of vulnerabilities could not be reached.")
        return 0
    unknown = ["skip_reason" in package for package in packages].count(True)
    if unknown:
        print(f"NOT AUDITED: {unknown} packages, which the list doesn't know.")
    mendable = False
    for package in packages:
        for finding in package.get("vulns", []):
            mended = finding["fix_versions"]
            mendable = mendable or bool(mended)
            remedy = f"mended in {', '.join(mended)}" if mended else "no version mends it yet"
            print(f"{package['name']} {package['version']}: {finding['id']}, {remedy}")
    return int(mendable)


sys.exit(main())
