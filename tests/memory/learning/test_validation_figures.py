"""The figures of validation on messages and operations in English and Chinese."""

from pathlib import Path

import pytest

from bench import validation


@pytest.mark.parametrize("path", validation.sets(), ids=lambda path: path.stem)
def test_right_operations_pass_and_wrong_ones_dont(path: Path) -> None:  # LEARN-13, LEARN-14, LEARN-16, LEARN-17
    found = validation.figures(path)
    assert found.reached, str(found)
