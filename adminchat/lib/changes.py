"""What differs between two texts, line by line."""

from difflib import SequenceMatcher


def changes(before: str, after: str) -> list[tuple[str, str]]:
    """Every line of both texts with "+", "-" or " " before it: added, removed, or kept.

    Other than ``difflib.ndiff`` it doesn't look within lines, which takes minutes on texts that share none.
    """
    old, new = before.splitlines(), after.splitlines()
    found = []
    for kind, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            found += [(" ", line) for line in old[old_from:old_to]]
        else:
            found += [("-", line) for line in old[old_from:old_to]] + [("+", line) for line in new[new_from:new_to]]
    return found
