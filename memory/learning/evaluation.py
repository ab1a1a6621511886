"""How well a prompt and a model learn, by messages whose right outcome is known (PROMPT-4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from adminchat.connections.endpoints import endpoint_of
from adminchat.connections.models import ChatModel
from adminchat.prompts.resolution import Prompt
from adminchat.providers.errors import ProviderError
from memory.learning import rules
from memory.learning.eligibility import judge
from memory.learning.extraction import Call, extract, question
from memory.learning.masking import mask
from memory.learning.operations import InvalidOutput, Operation
from memory.learning.outcomes import Outcome
from memory.learning.validation import validate


@dataclass(frozen=True)
class Utterance:
    """A message, and whether it should be learned from."""

    text: str
    expected: bool


@dataclass
class Evaluation:
    """Counts of messages, tokens of all calls together, and seconds that they took.

    ``learnt`` and ``right`` as in the definition of precision and recall of learning; ``refused`` are proposed operations
    that validation refused, ``failed`` messages whose call failed.
    """

    messages: int = 0
    expected: int = 0
    learnt: int = 0
    right: int = 0
    proposed: int = 0
    refused: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    @property
    def precision(self) -> float:
        return self.right / self.learnt if self.learnt else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.expected if self.expected else 1.0

    @property
    def refusals(self) -> float:
        """The share of the proposed operations that validation refused."""
        return self.refused / self.proposed if self.proposed else 0.0


def evaluate(
    utterances: Iterable[Utterance], prompt: Prompt | None, model: ChatModel | None, today: date
) -> Evaluation:
    """Run each message through trigger, extraction and validation with an empty book; without a prompt by the rules."""
    result = Evaluation()
    for utterance in utterances:
        result.messages += 1
        result.expected += utterance.expected
        if not judge(utterance.text).eligible:
            continue
        outcomes = [one.outcome for one in _judged(utterance.text, prompt, model, today, result)]
        result.proposed += len(outcomes)
        result.refused += sum(outcome != Outcome.UPDATED for outcome in outcomes)
        if Outcome.UPDATED in outcomes:
            result.learnt += 1
            result.right += utterance.expected
    return result


def _judged(text: str, prompt: Prompt | None, model: ChatModel | None, today: date, result: Evaluation) -> list[Any]:
    masked = mask(text).text
    if prompt is None or model is None:
        operations: list[Operation] = rules.extract(masked, [], has_workspace=False)
    else:
        call = Call()
        try:
            extract(
                endpoint_of(model.connection),
                model.name,
                prompt,
                question(masked, [], workspace=None, today=today),
                call,
            )
        except (TimeoutError, ProviderError, InvalidOutput):
            result.failed += 1
        result.input_tokens += call.input_tokens or 0
        result.output_tokens += call.output_tokens or 0
        result.seconds += call.seconds
        operations = call.operations
    return validate(text, operations, book=[], workspace=None, today=today)
